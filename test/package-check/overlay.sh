#!/bin/sh
# Runs `sh -c COMMAND` in this machine's root file system. Changes go to a memory file system and are discarded at the end.
# usage: overlay.sh FOLDER COMMAND [ARGUMENT…]; the command sees FOLDER under its own name, and the arguments as "$@"
set -eu
scratch=$(mktemp -d -p "$(dirname "$1")")
mount -t tmpfs tmpfs "$scratch"
mkdir "$scratch/upper" "$scratch/work" "$scratch/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$scratch/upper,workdir=$scratch/work" "$scratch/root"
mkdir -p "$scratch/root$1"
mount --bind "$1" "$scratch/root$1"
mount --rbind /dev "$scratch/root/dev"
mount --rbind /proc "$scratch/root/proc"
# Scripts of a package must not change the settings of the kernel, which the copy shares with this machine.
mount --bind /proc/sys "$scratch/root/proc/sys"
mount -o remount,bind,ro "$scratch/root/proc/sys"
mount -t tmpfs tmpfs "$scratch/root/run"
command=$2
shift 2
exec chroot "$scratch/root" sh -ec "$command" sh "$@"

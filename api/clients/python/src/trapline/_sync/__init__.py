# Generated from _async by tools/make_sync.py. Change it there.

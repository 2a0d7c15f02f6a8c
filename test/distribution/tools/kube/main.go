// One program that contains the components of a control plane, a node and the client. The first argument selects one.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: kube apiserver|controller-manager|scheduler|kubelet|proxy|ctl [arguments]")
		os.Exit(2)
	}
	part := os.Args[1]
	os.Args = append([]string{"kube-" + part}, os.Args[2:]...)
	var command *cobra.Command
	switch part {
	case "apiserver":
		command = apiserver.NewAPIServerCommand()
	case "controller-manager":
		command = manager.NewControllerManagerCommand()
	case "scheduler":
		command = scheduler.NewSchedulerCommand()
	case "kubelet":
		command = kubelet.NewKubeletCommand(context.Background())
	case "proxy":
		command = proxy.NewProxyCommand()
	case "ctl":
		os.Args[0] = "kubectl"
		command = kubectl.NewDefaultKubectlCommand()
	default:
		fmt.Fprintln(os.Stderr, "unknown part "+part)
		os.Exit(2)
	}
	os.Exit(cli.Run(command))
}

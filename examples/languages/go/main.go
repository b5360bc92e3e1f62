package main

import (
	solarcharging "example.com/pulumi-solar-charging/sdk/go/solarcharging"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(declare)
}

func declare(ctx *pulumi.Context) error {
	home, err := solarcharging.NewSiteSettings(ctx, "home", &solarcharging.SiteSettingsArgs{
		Latitude: pulumi.Float64(48.1),
		OnDelete: solarcharging.OnDeleteRestore,
		Vehicles: solarcharging.SiteVehicleMap{
			"car": solarcharging.SiteVehicleArgs{
				DeviceId:       pulumi.String("car"),
				MaxCapacity:    pulumi.Float64(77000), // Wh
				MaxChargePower: pulumi.Float64(11000), // W: what the car takes at home, not at a fast charger
			},
		},
		Inverters: solarcharging.SiteInverterMap{
			"roof": solarcharging.SiteInverterArgs{
				DeviceId:       pulumi.String("roof"),
				PeakPower:      pulumi.Float64(9800), // W
				Azimuth:        pulumi.String("SSW"), // where the panels face
				Tilt:           pulumi.Float64(35),   // degrees from horizontal
				CutInThreshold: pulumi.Float64(150),
				BaseLoad:       pulumi.Float64(400), // what the house uses all the time
			},
		},
	})
	if err != nil {
		return err
	}
	ctx.Export("ready", home.Ready)
	ctx.Export("missing", home.Missing)
	return nil
}

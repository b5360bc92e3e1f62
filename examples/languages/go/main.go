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
				MaxCapacity:    pulumi.String("77 kWh"),
				MaxChargePower: pulumi.String("11 kW"), // what the car takes at home, not at a fast charger
			},
		},
		Inverters: solarcharging.SiteInverterMap{
			"roof": solarcharging.SiteInverterArgs{
				DeviceId:       pulumi.String("roof"),
				PeakPower:      pulumi.String("9.8 kWp"),
				Azimuth:        pulumi.String("SSW"), // where the panels face
				Tilt:           pulumi.Float64(35),   // degrees from horizontal
				CutInThreshold: pulumi.String("150 W"),
				BaseLoad:       pulumi.String("400 W"), // what the house uses all the time
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

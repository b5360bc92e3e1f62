import pulumi
import pulumi_solar_charging as solar

home = solar.SiteSettings(
    "home",
    latitude=48.1,
    on_delete=solar.OnDelete.RESTORE,
    vehicles={
        "car": {
            "device_id": "car",
            "max_capacity": "77 kWh",
            "max_charge_power": "11 kW",  # what the car takes at home, not at a fast charger
        },
    },
    inverters={
        "roof": {
            "device_id": "roof",
            "peak_power": "9.8 kWp",
            "azimuth": "SSW",  # where the panels face
            "tilt": 35,  # degrees from horizontal
            "cut_in_threshold": "150 W",
            "base_load": "400 W",  # what the house uses all the time
        },
    },
)

pulumi.export("ready", home.ready)
pulumi.export("missing", home.missing)

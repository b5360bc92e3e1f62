export * from "pulumi-solar-charging/native";

module.exports = require("pulumi-solar-charging/native");

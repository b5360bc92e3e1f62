#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { adoptCommand } from "./adopt/command";
import { addCompletion } from "./completion";
import { doctorCommand } from "./doctor/command";
import { fleet } from "./fleet/command";
import { ledger } from "./ledger/command";

const { version } = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as {
  version: string;
};

const program = new Command("solar-charging")
  .description("Declares, checks and rolls out the settings of vehicles and solar inverters, a whole fleet at a time.")
  .version(version)
  .showHelpAfterError("Run it with --help to see what it takes.");

// Each command is a file of its own, and one line here.
program.addCommand(fleet());
program.addCommand(adoptCommand());
program.addCommand(ledger());
program.addCommand(doctorCommand());

addCompletion(program)
  .then(() => program.parseAsync())
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });

#!/usr/bin/env node
import { Command } from "commander";
import { adoptCommand } from "./adopt/command";
import { addCompletion } from "./completion";
import { doctorCommand } from "./doctor/command";
import { textOfError } from "./environment";
import { fleetCommand } from "./fleet/command";
import { nameHelpAfterErrors } from "./help";
import { ledgerCommand } from "./ledger/command";
import { reportCommand } from "./report/command";
import { reviewCommand } from "./review/command";
import { statusCommand } from "./status/command";
import { sunCommand } from "./sun/command";
import { version } from "./version";

const program = new Command("solar-charging")
  .description("Declare, check and roll out the settings of vehicles and solar inverters, a whole fleet at a time")
  .version(version);

// Each command is a folder of its own, and one line here.
program.addCommand(fleetCommand());
program.addCommand(reviewCommand());
program.addCommand(sunCommand());
program.addCommand(statusCommand());
program.addCommand(reportCommand());
program.addCommand(adoptCommand());
program.addCommand(ledgerCommand());
program.addCommand(doctorCommand());

addCompletion(program)
  .then(() => nameHelpAfterErrors(program))
  .then(() => program.parseAsync())
  .catch((error: Error) => {
    console.error(textOfError(error));
    process.exitCode = 1;
  });

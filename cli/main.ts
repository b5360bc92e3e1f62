#!/usr/bin/env node
import { runCommand, showFailure } from "./program/program";

runCommand().catch(showFailure);

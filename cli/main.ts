#!/usr/bin/env node
import { runCommand, showFailure } from "./program";

runCommand().catch(showFailure);

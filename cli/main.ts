#!/usr/bin/env node
import "../provider/engine/shortLived";
import { runCommand, showFailure } from "./program/program";

runCommand().catch(showFailure);

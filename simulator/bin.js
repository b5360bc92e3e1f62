#!/usr/bin/env node
// npm links a command when it installs, and only to a file that exists: in a fresh clone, dist/ does not yet.
require("./dist/cli");

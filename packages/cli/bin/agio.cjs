#!/usr/bin/env node
// Checks the version of Node before anything that an older one cannot parse is loaded.
'use strict'

var version = process.versions.node.split('.').map(Number)

if (version[0] > 22 || (version[0] === 22 && version[1] >= 19)) {
  void import('../dist/main.js')
} else {
  console.error(
    'agio needs Node 22.19 or newer, and this is Node ' +
      process.versions.node +
      '. Reinstall with Node 22.19 or newer: npm on an older Node leaves out the program of the local chains',
  )
  process.exitCode = 1
}

// Prints what electronegativity finds in a folder, as JSON. It leaves out the check that asks GitHub for newer versions.
const run = require('@doyensec/electronegativity');

const { log } = console;
console.log = console.error;
run({
  input: process.argv[2],
  isRelative: true,
  excludeFromScan: ['AvailableSecurityFixesGlobalCheck'],
}).then(({ errors, issues }) => log(JSON.stringify({ errors, issues: issues.map(({ id, file }) => ({ id, file })) })));

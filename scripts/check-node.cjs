// The first lines that run, of the command and of the scripts of a checkout: an older Node is told
// in one line. In a syntax that every Node reads, because the build copies the function as it is.
'use strict';

/** @param {string} wanted As `engines` of package.json has it: `>=20.19`. */
function checkNode(wanted) {
  var needed = wanted.replace('>=', '');
  if (rank(process.versions.node) >= rank(needed)) return;
  var words = ['error: mneme needs Node.js', needed, 'or newer, not', process.version];
  process.stderr.write(words.concat('('.concat(process.execPath, ')\n')).join(' '));
  process.exit(1);

  /** @param {string} version */
  function rank(version) {
    var parts = version.split('.');
    return Number(parts[0]) * 1000 + Number(parts[1]);
  }
}

checkNode(require('../package.json').engines.node);
module.exports = checkNode;

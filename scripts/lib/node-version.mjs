const NEEDED = [20, 19];

/** Exits with one line if Node is too old. Must parse on old versions of Node. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  console.error(
    `Node ${NEEDED.join('.')} or newer is needed; this is ${process.version}. See https://nodejs.org`,
  );
  process.exit(1);
}

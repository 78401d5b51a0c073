const NEEDED = [20, 19];

/** Ends with one clear line on a Node that is too old; must itself be readable to an old Node. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  console.error(
    `Node ${NEEDED.join('.')} or newer is needed; this is ${process.version}. See https://nodejs.org`,
  );
  process.exit(1);
}

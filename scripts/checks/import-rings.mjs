/**
 * The rings among the files and folders directly below `parent`: each a sorted list of those that reach one another by imports
 * of production code. Two that import each other are a ring. Of the folders in `groups`, each folder counts by itself.
 */
export function findRings(modules, parent, groups = []) {
  const prefix = `${parent}/`;
  const folderOf = (path) => {
    if (!path.startsWith(prefix)) return null;
    const [folder, inner] = path.slice(prefix.length).split('/');
    return groups.includes(folder) ? `${folder}/${inner}` : folder;
  };
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    const folder = folderOf(source);
    if (folder === null || /\.test\.\w+$|\/testing\//.test(source)) continue;
    const imported = imports.get(folder) ?? new Set();
    imports.set(folder, imported);
    for (const { resolved } of dependencies)
      if (folderOf(resolved) !== null) imported.add(folderOf(resolved));
  }
  const reaches = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(imports, folder)]));
  const rings = [...imports.keys()].map((folder) =>
    [...reaches.get(folder)].filter((other) => reaches.get(other)?.has(folder)).sort(),
  );
  const found = rings.filter((ring) => ring.length > 1).map((ring) => ring.join(' '));
  return [...new Set(found)].sort().map((ring) => ring.split(' '));
}

function reachedFrom(imports, folder) {
  const reached = new Set();
  const open = [folder];
  while (open.length > 0) {
    for (const next of imports.get(open.pop()) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

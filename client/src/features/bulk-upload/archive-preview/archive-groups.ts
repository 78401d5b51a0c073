import type { ArchivePhoto } from '../archive/read-archives.ts';

export interface ArchiveGroup {
  name: string;
  photos: ArchivePhoto[];
}

interface ArchiveGroups {
  albums: ArchiveGroup[];
  people: ArchiveGroup[];
  years: ArchiveGroup[];
}

/** The largest album or person first, the last year first. A photo can be in several. */
export function groupPhotos(photos: readonly ArchivePhoto[]): ArchiveGroups {
  const byCount = (one: ArchiveGroup, other: ArchiveGroup) => other.photos.length - one.photos.length;
  const byYear = (one: ArchiveGroup, other: ArchiveGroup) => (one.name < other.name ? 1 : -1);
  return {
    albums: groupBy(photos, ({ albums }) => albums).sort(byCount),
    people: groupBy(photos, ({ people }) => people).sort(byCount),
    years: groupBy(photos, ({ year }) => [year ?? '']).sort(byYear),
  };
}

function groupBy(
  photos: readonly ArchivePhoto[],
  namesOf: (photo: ArchivePhoto) => readonly string[],
): ArchiveGroup[] {
  const groups = new Map<string, ArchivePhoto[]>();
  for (const photo of photos)
    for (const name of namesOf(photo)) {
      const group = groups.get(name);
      if (group) group.push(photo);
      else groups.set(name, [photo]);
    }
  return [...groups].map(([name, photos]) => ({ name, photos }));
}

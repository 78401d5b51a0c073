import { useEffect, useMemo, useRef, useState } from 'react';
import { formatBytes } from '../../../lib/format-bytes.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import type { Archive, ArchivePhoto } from '../archive/read-archives.ts';
import type { ChosenFile } from '../queue/queued-photo.ts';
import { useFreeBytes } from '../storage-api.ts';
import { groupPhotos, type ArchiveGroup } from './archive-groups.ts';

/** Above it the person chooses what to add, instead of what not to add. */
const MAX_CHOSEN_BY_ITSELF = 2000;
const TILES = 3;

interface ArchivePreviewProps {
  archive: Archive;
  /** Its button is the one main action of the page. */
  isMain: boolean;
  onAdd: (chosen: ChosenFile[]) => void;
  onCancel: () => void;
}

/** What zips contain, before anything is sent. */
export function ArchivePreview({ archive, isMain, onAdd, onCancel }: ArchivePreviewProps) {
  const { photos } = archive;
  const freeBytes = useFreeBytes();
  const [chosen, setChosen] = useState<ReadonlySet<ArchivePhoto>>(
    () => new Set(photos.length <= MAX_CHOSEN_BY_ITSELF ? photos : []),
  );
  const groups = useMemo(() => groupPhotos(photos), [photos]);
  const bytes = [...chosen].reduce((sum, { file }) => sum + file.size, 0);
  const isTooMuch = freeBytes !== null && bytes > freeBytes;
  const choose = (changed: readonly ArchivePhoto[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const photo of changed) {
      if (isChosen) next.add(photo);
      else next.delete(photo);
    }
    setChosen(next);
  };
  const section = (title: string, listed: ArchiveGroup[], unnamed: string) =>
    listed.length > 0 && (
      <section className="mt-8">
        <h3 className="text-lead">{title}</h3>
        <ul className="mt-2 border-t border-hairline">
          {listed.map((group) => (
            <Group
              key={group.name}
              group={group}
              name={group.name || unnamed}
              chosen={chosen}
              onChoose={choose}
            />
          ))}
        </ul>
      </section>
    );
  return (
    <section aria-label="What is in your zips" className="mb-10">
      <h2 className="text-title tabular-nums">{count(photos.length, 'photo', 'photos')} in your zips</h2>
      <p className="mt-1 text-muted">Nothing has been sent yet. Choose what belongs in this album.</p>
      <Skipped archive={archive} />
      {section('Albums', groups.albums, '')}
      {section('People and pets', groups.people, '')}
      {section('Years', groups.years, 'Without a date beside it')}
      <div className="sticky bottom-0 -mx-5 mt-8 border-t border-hairline bg-paper px-5 py-4">
        <p role="status" className={isTooMuch ? 'text-danger' : 'text-muted'}>
          {count(chosen.size, 'photo', 'photos')}, {formatBytes(bytes)}
          {freeBytes !== null && ` of ${formatBytes(freeBytes)} that are free`}
        </p>
        <div className="mt-3 flex gap-3 max-sm:flex-col">
          <Button
            variant={isMain ? 'primary' : 'secondary'}
            disabled={chosen.size === 0}
            onClick={() => onAdd([...chosen].map(({ file }) => file))}
          >
            Add {count(chosen.size, 'photo', 'photos')}
          </Button>
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </section>
  );
}

interface GroupProps {
  group: ArchiveGroup;
  name: string;
  chosen: ReadonlySet<ArchivePhoto>;
  onChoose: (photos: readonly ArchivePhoto[], isChosen: boolean) => void;
}

function Group({ group: { photos }, name, chosen, onChoose }: GroupProps) {
  const chosenCount = photos.filter((photo) => chosen.has(photo)).length;
  const isAll = chosenCount === photos.length;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosenCount > 0 && !isAll;
  }, [chosenCount, isAll]);
  return (
    <li className="border-b border-hairline">
      <label className="flex min-h-16 cursor-pointer items-center gap-4 py-2">
        <input
          ref={box}
          type="checkbox"
          checked={isAll}
          onChange={() => onChoose(photos, !isAll)}
          className="size-5 shrink-0 accent-accent"
        />
        <span className="min-w-0 grow">
          <span className="block truncate">{name}</span>
          <span className="block text-small text-muted tabular-nums">
            {isAll || chosenCount === 0
              ? count(photos.length, 'photo', 'photos')
              : `${chosenCount.toLocaleString()} of ${photos.length.toLocaleString()}`}
          </span>
        </span>
        <span aria-hidden className="flex shrink-0 gap-1.5">
          {photos.slice(0, TILES).map((photo) => (
            <Tile key={photo.file.path} file={photo.file} />
          ))}
        </span>
      </label>
    </li>
  );
}

/** Read from the zip once it is in view. */
function Tile({ file }: { file: ChosenFile }) {
  const element = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      file.read().then(
        (blob) => {
          if (isGone) return;
          made = URL.createObjectURL(blob);
          setUrl(made);
        },
        () => undefined,
      );
    });
    if (element.current) observer.observe(element.current);
    return () => {
      isGone = true;
      observer.disconnect();
      if (made) URL.revokeObjectURL(made);
    };
  }, [file]);
  return (
    <span ref={element} className="block size-11 overflow-hidden rounded-[2px] bg-hairline">
      {url && <img src={url} alt="" onError={() => setUrl(null)} className="size-full object-cover" />}
    </span>
  );
}

function Skipped({ archive: { skipped, faults } }: { archive: Archive }) {
  const texts = [
    skipped.trashed > 0 && `${skipped.trashed.toLocaleString()} in the trash`,
    skipped.hidden > 0 && `${skipped.hidden.toLocaleString()} hidden`,
    skipped.ofPartner > 0 && `${skipped.ofPartner.toLocaleString()} shared by a partner`,
    skipped.videos > 0 && count(skipped.videos, 'video', 'videos'),
    skipped.others > 0 && count(skipped.others, 'other file', 'other files'),
  ].filter((text) => text !== false);
  return (
    <>
      {texts.length > 0 && <p className="mt-3 text-small text-muted">Left out: {texts.join(', ')}.</p>}
      {faults.map(({ name, reason }) => (
        <p key={name} role="alert" className="mt-3 border-l-2 border-danger py-1 pl-5">
          <span className="font-semibold wrap-anywhere">{name}</span>: {reason}
        </p>
      ))}
    </>
  );
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}

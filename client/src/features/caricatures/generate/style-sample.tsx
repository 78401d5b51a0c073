import type { CaricatureStyle } from '#shared/caricature';

/** One picture for each style, named by it. */
const samples = import.meta.glob<string>('../samples/*.{webp,jpg,png}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** How a style looks; its name stands beside it. */
export function StyleSample({ style }: { style: CaricatureStyle }) {
  const url = Object.entries(samples).find(([path]) => path.includes(`/${style}.`))?.[1];
  return (
    <span className="block aspect-[3/2] overflow-hidden rounded-[5px] bg-well">
      {url && <img src={url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />}
    </span>
  );
}

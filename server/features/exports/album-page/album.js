// The script of index.html in an export. It runs without a server, so it is one plain script, and shows texts as text only.
(() => {
  'use strict';
  const album = JSON.parse(document.getElementById('album').textContent);
  const byId = (id) => document.getElementById(id);
  const PAGE = 60;
  const KINDS = {
    memories: { name: 'Memories', has: (item) => item.kind === 'memory' && !item.deleted },
    liked: { name: 'Liked', has: (item) => item.kind === 'memory' && !item.deleted && item.liked },
    caricatures: { name: 'Caricatures', has: (item) => item.kind === 'caricature' },
    deleted: { name: 'Recently deleted', has: (item) => item.deleted },
  };
  const pets = new Map(album.pets.map((pet) => [pet.id, pet]));
  const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const formatDay = (date) => longDay.format(new Date(`${date.slice(0, 10)}T00:00:00Z`));
  const formatDate = (date) => {
    if (date.length === 10) return formatDay(date);
    const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });
    return `${formatDay(date)} at ${time.format(new Date(`${date}:00Z`))}`;
  };
  const plural = (count, one, many = `${one}s`) =>
    `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
  /** Without case and accents. */
  const toSearchText = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  /** File names have spaces, and may have `#` or `%`. */
  const toUrl = (path) => path.split('/').map(encodeURIComponent).join('/');
  const petName = (item) => pets.get(item.pet)?.name ?? null;
  const describe = (item) =>
    item.caption ??
    (petName(item)
      ? `Photo of ${petName(item)}, ${formatDate(item.date)}`
      : `Photo of ${formatDate(item.date)}`);

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /** Shows the first of the files that this browser can open: a HEIC is shown by its preview. */
  function showFirst(image, paths) {
    let next = 0;
    image.onerror = () => {
      if (next < paths.length) image.src = toUrl(paths[next++]);
    };
    image.onerror();
  }

  const items = album.items.sort((a, b) =>
    a.date < b.date ? 1 : a.date > b.date ? -1 : a.id < b.id ? 1 : -1,
  );
  for (const item of items) {
    item.searchText = toSearchText(
      [
        item.caption,
        ...item.tags,
        petName(item),
        item.date.slice(0, 4),
        formatDay(item.date),
        item.liked && 'like liked',
      ]
        .filter(Boolean)
        .join(' '),
    );
  }
  const count = (kind) => items.filter(KINDS[kind].has).length;

  let matches = [];
  let shown = 0;
  let open = -1;

  byId('saved').textContent = formatDay(album.exportedAt);
  byId('summary').textContent = [
    plural(count('memories'), 'memory', 'memories'),
    ...(album.pets.length > 0 ? [plural(album.pets.length, 'pet')] : []),
    ...(count('caricatures') > 0 ? [plural(count('caricatures'), 'caricature')] : []),
  ].join(', ');
  showPets();
  for (const [value, { name, has }] of Object.entries(KINDS)) {
    if (value === 'memories' || items.some(has))
      byId('kind').append(element('option', { value, textContent: name }));
  }
  byId('pet').append(element('option', { value: '', textContent: 'All pets' }));
  for (const { id, name } of album.pets)
    byId('pet').append(element('option', { value: id, textContent: name }));
  byId('pet-filter').hidden = album.pets.length === 0;
  byId('filters').hidden = items.length === 0;

  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  for (const id of ['search', 'kind', 'pet']) byId(id).addEventListener('input', filter);
  byId('more').addEventListener('click', () => {
    const first = shown;
    showMore();
    byId('gallery').querySelectorAll('.photo')[first]?.focus();
  });
  byId('print').addEventListener('click', () => void print());
  byId('previous').addEventListener('click', () => view(open - 1));
  byId('next').addEventListener('click', () => view(open + 1));
  byId('close').addEventListener('click', () => byId('viewer').close());
  byId('viewer').addEventListener('click', (event) => {
    if (event.target === byId('viewer')) byId('viewer').close();
  });
  byId('viewer').addEventListener('keydown', (event) => {
    if (event.key === 'ArrowLeft') view(open - 1);
    if (event.key === 'ArrowRight') view(open + 1);
  });
  byId('viewer').addEventListener('close', () => {
    while (shown <= open) showMore();
    byId('gallery').querySelectorAll('.photo')[open]?.focus();
  });
  // Before its end is reached, so that one can scroll on.
  new IntersectionObserver(([entry]) => entry.isIntersecting && showMore(), { rootMargin: '1200px' }).observe(
    byId('more'),
  );
  filter();

  function showPets() {
    for (const pet of album.pets) {
      const picture = pet.files.length > 0 ? element('img', { alt: '', loading: 'lazy' }) : null;
      if (picture) showFirst(picture, pet.files);
      const initial = element('span', { className: 'initial', textContent: [...pet.name][0] ?? '' });
      initial.setAttribute('aria-hidden', 'true');
      byId('pets').append(
        element(
          'div',
          { className: 'pet' },
          picture ?? initial,
          element(
            'div',
            {},
            element('p', { dir: 'auto' }, element('strong', { textContent: pet.name })),
            element('p', { className: 'muted', dir: 'auto', textContent: pet.facts }),
          ),
        ),
      );
    }
    byId('pets').hidden = album.pets.length === 0;
  }

  function filter() {
    const terms = toSearchText(byId('search').value).split(/\s+/).filter(Boolean);
    const { has } = KINDS[byId('kind').value];
    const pet = byId('pet').value;
    matches = items.filter(
      (item) =>
        has(item) && (!pet || item.pet === pet) && terms.every((term) => item.searchText.includes(term)),
    );
    shown = 0;
    byId('gallery').replaceChildren();
    byId('count').textContent =
      items.length === 0
        ? 'No memories yet.'
        : matches.length === 0
          ? 'Nothing found. Try another word.'
          : terms.length > 0 || pet
            ? `${plural(matches.length, 'photo')} found`
            : '';
    showMore();
  }

  function showMore() {
    for (const item of matches.slice(shown, shown + PAGE)) {
      const year = item.date.slice(0, 4);
      const last = byId('gallery').lastElementChild;
      const group = last?.dataset.year === year ? last : element('section');
      if (group !== last) {
        group.dataset.year = year;
        group.setAttribute('aria-label', year);
        group.append(element('h2', { textContent: year }), element('div', { className: 'year' }));
        byId('gallery').append(group);
      }
      group.lastElementChild.append(toFigure(item, shown++));
    }
    byId('more').hidden = shown >= matches.length;
  }

  function toFigure(item, index) {
    const image = element('img', { alt: describe(item), loading: 'lazy', decoding: 'async' });
    showFirst(image, [item.preview, item.file]);
    const button = element('button', { type: 'button', className: 'photo' }, image);
    button.setAttribute('aria-haspopup', 'dialog');
    button.addEventListener('click', () => view(index));
    const caption = element('span', { className: 'caption', dir: 'auto', textContent: item.caption ?? '' });
    const facts = element('span', { className: 'muted', textContent: formatDay(item.date) });
    const figure = element(
      'figure',
      {},
      button,
      element('figcaption', {}, ...(item.caption ? [caption] : []), facts),
    );
    // Wide panoramas and long screenshots are cropped here, and whole in the viewer.
    figure.style.setProperty(
      '--ratio',
      String(Math.min(1.9, Math.max(0.66, item.width / item.height)).toFixed(3)),
    );
    return figure;
  }

  function view(index) {
    const item = matches[index];
    if (!item) return;
    open = index;
    const image = byId('viewer-image');
    image.alt = describe(item);
    showFirst(image, [item.file, ...item.larger, item.preview]);
    byId('viewer-title').textContent = item.caption ?? petName(item) ?? 'Photo';
    byId('viewer-facts').textContent = [petName(item), formatDate(item.date), item.liked && 'Liked']
      .filter(Boolean)
      .join(' · ');
    byId('viewer-tags').textContent = item.tags.join(' • ');
    byId('viewer-original').href = toUrl(item.file);
    byId('previous').disabled = index === 0;
    byId('next').disabled = index === matches.length - 1;
    if (!byId('viewer').open) byId('viewer').showModal();
  }

  /** All that match, with their photos loaded. */
  async function print() {
    while (shown < matches.length) showMore();
    const images = [...byId('gallery').querySelectorAll('img')];
    for (const image of images) image.loading = 'eager';
    byId('print').textContent = 'Loading photos...';
    await Promise.allSettled(images.map((image) => image.decode()));
    byId('print').textContent = 'Print';
    window.print();
  }
})();

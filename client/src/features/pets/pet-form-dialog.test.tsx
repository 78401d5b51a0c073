// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pet } from '#shared/album/pet';
import { TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { somePet } from '../../testing/some-pet.ts';
import { currentToast } from '../../ui/toasts/toast-store.ts';
import { discardAllDrafts } from '../drafts/form-drafts.tsx';
import { PetFormDialog } from './pet-form-dialog.tsx';

interface Sent {
  method: string;
  fields: Record<string, unknown>;
  key: string | null;
}

const mimi = somePet({ name: 'Mimi', species: 'cat' });
const framed: Pet = {
  ...mimi,
  profileImageUrl: '/objects/2',
  profileImageCrop: { originalUrl: '/objects/1', width: 900, height: 600, left: 0, top: 0, size: 300 },
};
/** Requests other than GET. */
let sent: Sent[];
/** The next responses; default: the pet. */
let responses: (() => Response | Promise<Response>)[];
/** Of the server, which decodes what jsdom does not. */
let proposal: (signal: AbortSignal) => Response | Promise<Response>;
/** Whether stored pictures were deleted. */
let isGone: boolean;
const PREVIEW = 'data:image/webp;base64,AAAA';
const PROPOSED = { width: 900, height: 600, left: 200, top: 0, size: 600, preview: PREVIEW };

setUpComponents();
beforeEach(() => {
  sent = [];
  responses = [];
  proposal = () => Response.json(PROPOSED);
  vi.stubGlobal(
    'fetch',
    async (path: string, { method = 'GET', body, headers, signal }: RequestInit = {}) => {
      if (method === 'GET')
        return path.startsWith('/api/pets') ? Response.json([]) : Response.json({}, { status: 401 });
      if (path.endsWith('/picture-proposal')) return proposal(signal!);
      sent.push({
        method,
        fields: Object.fromEntries(body as FormData),
        key: new Headers(headers).get('Idempotency-Key'),
      });
      return (await responses.shift()?.()) ?? Response.json(mimi);
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  // jsdom has neither.
  Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => {} });
  // It decodes stored pictures only.
  vi.stubGlobal(
    'Image',
    class {
      src = '';
      naturalWidth = 900;
      naturalHeight = 600;
      decode = () =>
        this.src.startsWith('/objects/') && !isGone
          ? Promise.resolve()
          : Promise.reject(new Error('No image'));
    },
  );
  isGone = false;
});
afterEach(() => {
  discardAllDrafts();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Page({ pet }: { pet: Pet | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <PetFormDialog pet={pet} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

async function openForm(pet: Pet | null) {
  const { user } = showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <Page pet={pet} />
    </QueryClientProvider>,
  );
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  await press('Open');
  return { user, press };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const picture = () => screen.getByLabelText<HTMLInputElement>(/^Profile picture/);
const choosePicture = (file: File) => fireEvent.change(picture(), { target: { files: [file] } });
const expectToast = (title: string) => waitFor(() => expect(currentToast()?.title).toBe(title));
const isOpen = () => screen.queryByRole('dialog') !== null;
const expectClosed = () => waitFor(() => expect(isOpen()).toBe(false));
const failure = (status: number, fields?: Record<string, string>) => () =>
  Response.json({ message: 'No', ...(fields && { fields }) }, { status });
const lostResponse = () => Promise.reject(new TypeError('Failed to fetch'));

describe('a new pet', () => {
  it('needs a name and a species, and is sent once with its filled fields', async () => {
    const { user, press } = await openForm(null);
    fill('Name', '   ');
    await press('Add Pet');
    expect(screen.getByText('Pet name is required')).toBeTruthy();
    expect(screen.getByText('Species is required')).toBeTruthy();
    expect(document.activeElement).toBe(field('Name'));
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
    fill('Name', ' Mimi ');
    fill('Species', 'cat');
    await user.dblClick(screen.getByRole('button', { name: 'Add Pet' }));
    await expectToast('Pet added successfully!');
    await expectClosed();
    expect(sent.map(({ fields }) => fields)).toEqual([{ name: 'Mimi', species: 'cat' }]);
  });

  it('is sent again with the same idempotency key after a lost response, and another one with a new key', async () => {
    responses = [lostResponse];
    const { press } = await openForm(null);
    fill('Name', 'Mimi');
    fill('Species', 'cat');
    await press('Add Pet');
    await expectToast('Failed to add pet');
    expect(currentToast()?.description).toBe('Failed to create pet');
    await press('Add Pet');
    await expectClosed();
    await press('Open');
    fill('Name', 'Mimi');
    fill('Species', 'cat');
    await press('Add Pet');
    await expectClosed();
    const [first, second, third] = sent.map(({ key }) => key);
    expect(first).toBeTruthy();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('is sent once its picture is proposed, and so again with the same idempotency key', async () => {
    let release = (_: Response) => {};
    proposal = () => new Promise((resolve) => (release = resolve));
    responses = [lostResponse];
    const { press } = await openForm(null);
    fill('Name', 'Mimi');
    fill('Species', 'cat');
    choosePicture(new File(['a picture'], 'mimi.heic', { type: 'image/heic' }));
    await press('Add Pet');
    release(Response.json(PROPOSED));
    await screen.findByAltText('The picture you chose');
    await expectToast('Failed to add pet');
    await press('Add Pet');
    await expectClosed();
    const [first, second] = sent;
    expect(sent).toHaveLength(2);
    expect(first?.fields['profileImageCrop']).toBe('200,0,600');
    expect(second).toEqual(first);
  });

  it('says that it waits for its picture, and is sent without a crop if that takes too long', async () => {
    const timeout = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    proposal = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Aborted'))));
    const { press } = await openForm(mimi);
    choosePicture(new File(['a picture'], 'mimi.heic', { type: 'image/heic' }));
    await press('Save Changes');
    await screen.findByText('Preparing the picture...');
    timeout.abort();
    await expectClosed();
    expect(Object.keys(sent[0]?.fields ?? {})).toEqual(['profileImage']);
  });

  it("keeps its fields when the server rejects some, which show the server's messages", async () => {
    responses = [failure(415), failure(422, { breed: 'Please use other characters' })];
    const { press } = await openForm(null);
    fill('Name', 'Mimi');
    fill('Species', 'cat');
    fill('Breed', 'Siamese');
    choosePicture(new File(['no picture'], 'mimi.jpg', { type: 'image/jpeg' }));
    await press('Add Pet');
    await expectToast('Failed to add pet');
    await waitFor(() => expect(document.activeElement).toBe(picture()));
    expect(picture().getAttribute('aria-invalid')).toBe('true');
    choosePicture(new File(['a picture'], 'mimi.jpg', { type: 'image/jpeg' }));
    expect(picture().getAttribute('aria-invalid')).toBeNull();
    await press('Add Pet');
    await screen.findByText('Please use other characters');
    expect(document.activeElement).toBe(field('Breed'));
    expect([field('Name').value, field('Breed').value]).toEqual(['Mimi', 'Siamese']);
  });

  it.each([
    ['new', null, 'Add Pet', 'Failed to add pet'],
    ['known', mimi, 'Save Changes', 'Failed to update pet'],
  ])('says of a %s pet’s picture that it is too large for a proxy', async (_, pet, button, title) => {
    responses = [() => new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 })];
    const { press } = await openForm(pet);
    fill('Name', 'Cookie');
    fill('Species', 'cat');
    choosePicture(new File(['a picture'], 'mimi.jpg', { type: 'image/jpeg' }));
    await press(button);
    await expectToast(title);
    expect(currentToast()?.description).toBe(TOO_LARGE_FOR_SERVER);
    await waitFor(() => expect(document.activeElement).toBe(picture()));
    expect(within(screen.getByRole('dialog')).getByText(TOO_LARGE_FOR_SERVER)).toBeTruthy();
  });

  it('takes no picture that is none or too large', async () => {
    const { press } = await openForm(null);
    choosePicture(new File(['Feed the cat.'], 'notes.txt', { type: 'text/plain' }));
    expect(await screen.findByText(/^Please choose a picture/)).toBeTruthy();
    const large = new File([new Uint8Array(MAX_UPLOAD_BYTES + 1)], 'large.jpg', { type: 'image/jpeg' });
    choosePicture(large);
    expect(await screen.findByText(/^This picture is larger than 10 MB/)).toBeTruthy();
    fill('Name', 'Mimi');
    fill('Species', 'cat');
    choosePicture(new File(['a picture'], 'mimi.jpg', { type: 'image/jpeg' }));
    await press('Add Pet');
    await expectClosed();
    expect((sent[0]?.fields['profileImage'] as File).name).toBe('mimi.jpg');
  });

  it('can neither be sent again nor closed while it is sent', async () => {
    let release = (_: Response) => {};
    responses = [() => new Promise((resolve) => (release = resolve))];
    const { user, press } = await openForm(null);
    fill('Name', 'Mimi');
    fill('Species', 'cat');
    await press('Add Pet');
    await user.keyboard('{Escape}');
    await press('Cancel');
    await press('Close');
    await press('Adding...');
    await user.type(field('Name'), '{Enter}');
    expect([isOpen(), field('Name').value, sent.length]).toEqual([true, 'Mimi', 1]);
    release(Response.json(mimi));
    await expectClosed();
    expect(sent).toHaveLength(1);
  });
});

describe('the picture', () => {
  const frame = () => screen.getByRole('application');
  const shown = (image: HTMLElement | null) => [image?.style.width, image?.style.left, image?.style.top];

  it('is shown as the server proposes, and sent so', async () => {
    const { press } = await openForm(mimi);
    choosePicture(new File(['a picture'], 'mimi.heic', { type: 'image/heic' }));
    const image = await screen.findByAltText<HTMLImageElement>('The picture you chose');
    expect(image.src).toBe(PREVIEW);
    expect(shown(image)).toEqual(['150%', `${(-200 / 600) * 100}%`, '0%']);
    await press('Save Changes');
    await expectClosed();
    expect(sent[0]?.fields['profileImageCrop']).toBe('200,0,600');
  });

  it('is adjusted with the keyboard: what is shown is what is sent', async () => {
    const { user, press } = await openForm(mimi);
    choosePicture(new File(['a picture'], 'mimi.heic', { type: 'image/heic' }));
    await screen.findByAltText('The picture you chose');
    await press('Adjust');
    frame().focus();
    await user.keyboard('{ArrowRight}');
    expect(shown(frame().querySelector('img'))[1]).toBe(`${(-188 / 600) * 100}%`);
    await user.keyboard('++{Shift>}{ArrowUp}{/Shift}');
    await press('Done');
    await press('Save Changes');
    await expectClosed();
    expect(sent[0]?.fields['profileImageCrop']).toBe('241,103,495');
  });

  it('is adjusted later, from the stored original; Cancel changes nothing', async () => {
    const { user, press } = await openForm(framed);
    await press('Adjust');
    expect(frame().querySelector('img')?.getAttribute('src')).toMatch(/^\/objects\/1\?w=1600/);
    frame().focus();
    await user.keyboard('{ArrowLeft}');
    await press('Cancel');
    expect(screen.queryByRole('application')).toBeNull();
    await press('Save Changes');
    await expectClosed();
    expect(sent).toEqual([]);
    await press('Open');
    await press('Adjust');
    frame().focus();
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    await press('Done');
    await press('Save Changes');
    await expectClosed();
    expect(sent.map(({ fields }) => fields)).toEqual([{ profileImageCrop: '12,0,300', croppedImageId: '1' }]);
  });

  it('of a restored draft is shown as it was adjusted', async () => {
    const { user, press } = await openForm(framed);
    await press('Adjust');
    frame().focus();
    await user.keyboard('{ArrowLeft}');
    await press('Done');
    const adjusted = shown(screen.getByAltText('Mimi'));
    await user.keyboard('{Escape}');
    await expectClosed();
    await press('Open');
    await waitFor(() => expect(shown(screen.getByAltText('Mimi'))).toEqual(adjusted));
  });

  it('that was replaced elsewhere is not sent another crop again', async () => {
    responses = [failure(409)];
    const { user, press } = await openForm(framed);
    await press('Adjust');
    frame().focus();
    await user.keyboard('{ArrowLeft}');
    await press('Done');
    fill('Name', 'Cookie');
    await press('Save Changes');
    await expectToast('Failed to update pet');
    await press('Save Changes');
    await expectClosed();
    expect(sent[1]?.fields).toEqual({ name: 'Cookie' });
  });

  it('that was deleted elsewhere cannot be adjusted', async () => {
    isGone = true;
    const { press } = await openForm(framed);
    await press('Adjust');
    await expectToast('Picture not loaded');
    expect(screen.queryByRole('application')).toBeNull();
  });

  it('that nobody can decode is selected, and cannot be adjusted', async () => {
    proposal = () => Response.json({ message: 'No' }, { status: 503 });
    await openForm(mimi);
    choosePicture(new File(['a picture'], 'mimi.heic', { type: 'image/heic' }));
    await screen.findByText('mimi.heic is selected. You will see it after saving.');
    expect(screen.queryByRole('button', { name: 'Adjust' })).toBeNull();
  });
});

describe('an edit', () => {
  it('that fails keeps its fields, and can be repeated', async () => {
    responses = [failure(500)];
    const { press } = await openForm(mimi);
    fill('Name', 'Cookie');
    await press('Save Changes');
    await expectToast('Failed to update pet');
    expect(field('Name').value).toBe('Cookie');
    await press('Save Changes');
    await expectToast('Pet updated successfully!');
    await expectClosed();
    expect(sent.map(({ method, fields }) => [method, fields])).toEqual(
      Array(2).fill(['PATCH', { name: 'Cookie' }]),
    );
  });
});

describe.each([
  ['a new pet', null],
  ['an edit', mimi],
])('the draft of %s', (_, pet) => {
  it('is saved by Escape and X, not by a click outside, and discarded by Cancel', async () => {
    const { user, press } = await openForm(pet);
    fill('Description', 'Words of an hour');
    fireEvent.pointerDown(document.body);
    fireEvent.click(document.body);
    expect(isOpen()).toBe(true);
    await user.keyboard('{Escape}');
    await expectClosed();
    await expectToast('Draft saved');
    await press('Open');
    expect(field('Description').value).toBe('Words of an hour');
    expect(screen.getByText(/Your unsaved changes are still here/)).toBeTruthy();
    await press('Close');
    await press('Open');
    expect(field('Description').value).toBe('Words of an hour');
    await press('Cancel');
    await press('Open');
    expect(field('Description').value).toBe('');
    expect(sent).toEqual([]);
  });
});

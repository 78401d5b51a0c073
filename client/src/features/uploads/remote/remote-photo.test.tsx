// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  REMOTE_ERRORS,
  VENDOR_SIGN_IN_EXPIRED,
  signInExpiredMessage,
  type RemoteSourceConfig,
} from '#shared/transfers/remote-source';
import { ApiError } from '../../../lib/api/api-client.ts';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import type { UploadedPhoto } from '../photo-upload.ts';
import { PhotoUploader, type UploaderStage } from '../photo-uploader.tsx';
import { loadRemoteSources } from './remote-sources.ts';
import { eraseVendorSignIns } from '../upload-session.ts';
import { stubResizeObserver } from '../../../testing/stub-observers.ts';

const META = 'POST /companion/url/meta';
const SIGN = 'POST /api/objects/upload';
const GET = 'POST /companion/url/get';
const COMPLETE = 'POST /api/memories/complete-upload';
const LIST = 'GET /companion/dropbox/list/';
const DROPBOX_GET = 'POST /companion/dropbox/get/rex';
const LOG_OUT = 'POST /companion/dropbox/logout';
const REFRESH = 'POST /companion/dropbox/refresh-token';
const LINK = 'https://photos.example/rex.jpg';
const PHOTO = { name: 'rex.jpg', type: 'image/jpeg', size: 1234, preview: 'data:image/webp;base64,' };

type FakeResponse = { status: number; body?: object } | Promise<{ status: number; body?: object }>;
/** Plays companion's part once its websocket is open. */
type Transfer = (socket: StubbedSocket) => void;

let responses: Map<string, FakeResponse[]>;
let transfers: Transfer[];
let requests: string[];
let bodies: Map<string, Record<string, unknown>>;
let sent: string[];
let rejections: string[];
let stage: UploaderStage;
let uploads: number;
let tokens: number;
let ownerId: string;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  ownerId = crypto.randomUUID();
  responses = new Map();
  transfers = [];
  requests = [];
  bodies = new Map();
  sent = [];
  rejections = [];
  uploads = tokens = 0;
  stubResizeObserver();
  vi.stubGlobal('fetch', respond);
  vi.stubGlobal('WebSocket', StubbedSocket);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function respond(url: string | URL, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
  const { pathname } = new URL(url, window.location.href);
  const request = `${method} ${pathname}`;
  requests.push(request);
  if (typeof body === 'string') bodies.set(request, JSON.parse(body) as Record<string, unknown>);
  const response = await (responses.get(request)?.shift() ?? { status: 200 });
  return Response.json(response.body ?? defaultBody(pathname), { status: response.status });
}

function defaultBody(path: string): object {
  if (path === '/companion/url/meta') return PHOTO;
  if (path === '/api/objects/upload') return { uploadURL: `/uploads/${++uploads}?signature` };
  if (path.includes('/get')) return { token: `token-${++tokens}` };
  if (path.includes('/list/')) return { username: 'mara', nextPagePath: null, items: [DROPBOX_FILE] };
  return {};
}

const DROPBOX_FILE = {
  id: 'rex',
  name: 'rex.jpg',
  icon: 'file',
  mimeType: 'image/jpeg',
  isFolder: false,
  requestPath: 'rex',
  size: 1234,
};

const succeed: Transfer = (socket) => socket.emit('message', { action: 'success', payload: {} });
const failWith =
  (status: number, message: string): Transfer =>
  (socket) =>
    socket.emit('message', { action: 'error', payload: { error: { status, message } } });
const lose: Transfer = (socket) => socket.dispatchEvent(new Event('close'));
const stall: Transfer = () => {};

class StubbedSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 0;
  constructor(url: URL) {
    super();
    requests.push(`WS ${url.pathname}`);
    setTimeout(() => {
      this.readyState = StubbedSocket.OPEN;
      this.dispatchEvent(new Event('open'));
      (transfers.shift() ?? succeed)(this);
    });
  }
  emit(type: string, data: object) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
  send(text: string) {
    sent.push((JSON.parse(text) as { action: string }).action);
  }
  close() {}
}

async function complete({ uploadURL }: UploadedPhoto): Promise<void> {
  const response = await fetch('/api/memories/complete-upload', {
    method: 'POST',
    body: JSON.stringify({ uploadURL }),
  });
  if (!response.ok) throw new ApiError(response.status, await response.text());
}

/** Like a freshly loaded page. */
async function openUploader(...sources: RemoteSourceConfig[]): Promise<void> {
  render(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <PhotoUploader
        ownerId={ownerId}
        remoteSources={await loadRemoteSources(sources)}
        onUploaded={complete}
        onRejected={(error) => rejections.push(`rejected ${(error as ApiError).status}`)}
        onCancel={() => {}}
        onDone={() => {}}
        onStage={(next) => (stage = next)}
      />
    </QueryClientProvider>,
  );
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

async function enterLink(link = LINK): Promise<void> {
  await press('or paste a link');
  const input = await screen.findByLabelText('Link to the photo');
  fireEvent.input(input, { target: { value: link } });
  await press('Get the photo');
}

async function uploadLink(): Promise<void> {
  await openUploader({ source: 'url' });
  await enterLink();
  await press('Upload photo');
}

async function uploadFromDropbox(): Promise<void> {
  await openUploader({ source: 'dropbox' }, { source: 'url' });
  await press('Dropbox');
  fireEvent.click(await screen.findByLabelText('rex.jpg'));
  await press('Use this photo');
  await press('Upload photo');
}

const count = (request: string) => requests.filter((each) => each === request).length;
const finished = () => screen.findByRole('button', { name: 'Done' });
const alert = (text: string) => waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text));

describe('a photo at a link', () => {
  it('is fetched by the server and made into a memory', async () => {
    await uploadLink();
    await finished();
    expect(requests).toEqual([META, SIGN, GET, 'WS /companion/api/token-1', COMPLETE]);
    expect(bodies.get(SIGN)).toEqual({ contentType: 'image/jpeg', size: 10_485_760 });
    expect(bodies.get(GET)).toEqual({
      url: LINK,
      fileId: LINK,
      endpoint: 'http://localhost:3000/uploads/1?signature',
      metadata: { name: 'rex.jpg', type: 'image/jpeg' },
    });
    expect(rejections).toEqual([]);
  });

  it("shows the server's reason, and the link to correct", async () => {
    responses.set(META, [{ status: 415, body: { message: REMOTE_ERRORS.page } }]);
    await openUploader({ source: 'url' });
    await enterLink();
    expect(await screen.findByText(REMOTE_ERRORS.page)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Link to the photo').value).toBe(LINK);
    await press('Get the photo');
    expect(await screen.findByRole('button', { name: 'Upload photo' })).toBeTruthy();
  });

  it('asks for a link once, and for none that is not a link', async () => {
    responses.set(META, [new Promise(() => {})]);
    await openUploader({ source: 'url' });
    await enterLink('a dog');
    expect(await screen.findByText(REMOTE_ERRORS.notALink)).toBeTruthy();
    fireEvent.input(screen.getByLabelText('Link to the photo'), { target: { value: LINK } });
    await press('Get the photo');
    await press('Getting the photo...');
    expect(requests).toEqual([META]);
  });

  it('offers no editor, which would need the bytes', async () => {
    await openUploader({ source: 'url' });
    await enterLink();
    await screen.findByRole('button', { name: 'Upload photo' });
    expect(screen.queryByRole('button', { name: /^Adjust photo/ })).toBeNull();
    expect(stage).toBe('chosen');
  });

  it('retries a failed request for the same upload URL', async () => {
    responses.set(GET, [{ status: 502 }, { status: 503 }, { status: 429 }]);
    await uploadLink();
    await screen.findByText('No response yet. Trying again...');
    await vi.advanceTimersByTimeAsync(5000);
    await finished();
    expect([count(SIGN), count(GET)]).toEqual([1, 4]);
  });

  it('starts again after a temporary error of the server', async () => {
    transfers = [failWith(503, REMOTE_ERRORS.notStored)];
    await uploadLink();
    await finished();
    expect(requests.slice(2)).toEqual([
      GET,
      'WS /companion/api/token-1',
      GET,
      'WS /companion/api/token-2',
      COMPLETE,
    ]);
  });

  it('follows the same transfer after a lost connection', async () => {
    transfers = [lose, lose];
    await uploadLink();
    await vi.advanceTimersByTimeAsync(2000);
    await finished();
    expect([count(GET), count('WS /companion/api/token-1')]).toEqual([1, 3]);
  });

  it('finishes a photo that was stored although the connection was lost', async () => {
    transfers = [lose, lose, lose, lose, lose];
    await uploadLink();
    await vi.advanceTimersByTimeAsync(10_000);
    await screen.findByText('Upload failed');
    expect([count(GET), count('WS /companion/api/token-1')]).toEqual([1, 5]);
    await press('Show error details');
    expect(screen.getByText('The photo could not be sent. Socket closed unexpectedly.')).toBeTruthy();
    await press('Retry upload');
    await finished();
    expect([count(GET), count(COMPLETE)]).toEqual([1, 1]);
  });

  it('fetches a photo again if it was not stored when the connection was lost', async () => {
    transfers = [lose, lose, lose, lose, lose];
    responses.set(COMPLETE, [{ status: 409, body: { message: 'There is no photo.' } }]);
    await uploadLink();
    await vi.advanceTimersByTimeAsync(10_000);
    await press('Retry upload');
    await finished();
    expect([count(SIGN), count(GET), count(COMPLETE)]).toEqual([2, 2, 2]);
  });

  it('gives up on a silent connection', async () => {
    transfers = [stall];
    await uploadLink();
    await waitFor(() => expect(requests).toContain('WS /companion/api/token-1'));
    await vi.advanceTimersByTimeAsync(61_000);
    await press('Show error details');
    expect(
      screen.getByText('The photo could not be sent. Timeout waiting for message from Companion socket.'),
    ).toBeTruthy();
  });

  it("shows why the website's photo did not come, and retries with a new URL", async () => {
    transfers = [failWith(424, REMOTE_ERRORS.tooSlow)];
    await uploadLink();
    await alert(REMOTE_ERRORS.tooSlow);
    expect(rejections).toEqual([]);
    await press('Retry upload');
    await finished();
    expect([count(SIGN), count(GET)]).toEqual([2, 2]);
  });

  it('offers no retry for a photo that is too large', async () => {
    transfers = [failWith(413, 'This photo is larger than 10 MB.')];
    await uploadLink();
    await waitFor(() => expect(rejections).toEqual(['rejected 413']));
    expect(screen.queryByRole('button', { name: 'Retry upload' })).toBeNull();
  });

  it('cancels at the server when the photo is removed', async () => {
    transfers = [(socket) => socket.emit('message', progress(10))];
    await uploadLink();
    await waitFor(() => expect(requests).toContain('WS /companion/api/token-1'));
    await press('Replace photo');
    await waitFor(() => expect(sent).toEqual(['cancel']));
  });

  it('waits for the network', async () => {
    transfers = [() => goOffline()];
    const onLine = vi.spyOn(navigator, 'onLine', 'get');
    const goOffline = () => {
      onLine.mockReturnValue(false);
      fireEvent(window, new Event('offline'));
    };
    await uploadLink();
    await screen.findByText('Waiting for the network');
    onLine.mockReturnValue(true);
    fireEvent(window, new Event('online'));
    await finished();
    expect([count(GET), count('WS /companion/api/token-1'), sent]).toEqual([1, 2, []]);
  });

  it('is restored without its bytes', async () => {
    await openUploader({ source: 'url' });
    await enterLink();
    await screen.findByRole('button', { name: 'Upload photo' });
    await vi.advanceTimersByTimeAsync(1000);
    document.body.replaceChildren();
    await openUploader({ source: 'url' });
    await screen.findByText('Session restored');
    await press('Upload photo');
    await finished();
    expect([count(META), count(GET)]).toEqual([1, 1]);
  });
});

const progress = (bytesUploaded: number) => ({
  action: 'progress',
  payload: { bytesUploaded, bytesTotal: 0 },
});

describe('a photo in a cloud drive', () => {
  const expired = {
    status: 401,
    body: { message: signInExpiredMessage('dropbox'), code: VENDOR_SIGN_IN_EXPIRED },
  };

  /** A sign-in window whose end is reported by `report`. */
  function stubSignInWindow() {
    const opened = { closed: false, close: () => (opened.closed = true) };
    const open = vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    const report = (token: string | null) =>
      window.dispatchEvent(new MessageEvent('message', { origin: window.location.origin, data: { token } }));
    return { opened, open, report };
  }

  it('is listed, chosen and uploaded', async () => {
    await uploadFromDropbox();
    await finished();
    expect(requests).toEqual([LIST, SIGN, DROPBOX_GET, 'WS /companion/api/token-1', COMPLETE]);
  });

  it('is shown after signing in in a window', async () => {
    responses.set(LIST, [expired]);
    const { opened, open, report } = stubSignInWindow();
    await openUploader({ source: 'dropbox' });
    await press('Dropbox');
    await press('Sign in to Dropbox');
    expect(open.mock.calls[0]?.[0]).toContain('/companion/dropbox/connect');
    await screen.findByText('Continue in the Dropbox window.');
    report('session');
    expect(await screen.findByLabelText('rex.jpg')).toBeTruthy();
    expect(opened.closed).toBe(true);
    eraseVendorSignIns();
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it.each([
    ['closed', /was closed before you were signed in/],
    ['rejected', /did not let you in/],
    ['blocked', /Please allow pop-ups/],
  ])('can be opened again after the window was %s', async (how, message) => {
    responses.set(LIST, [expired]);
    const { opened, open, report } = stubSignInWindow();
    if (how === 'blocked') open.mockReturnValueOnce(null);
    await openUploader({ source: 'dropbox' });
    await press('Dropbox');
    await press('Sign in to Dropbox');
    if (how === 'closed') opened.closed = true;
    if (how === 'rejected') report(null);
    await screen.findByText(message);
    opened.closed = false;
    await press('Sign in to Dropbox');
    report('session');
    expect(await screen.findByLabelText('rex.jpg')).toBeTruthy();
  });

  it('offers to list again after an error', async () => {
    responses.set(LIST, [{ status: 502, body: { message: 'Bad gateway' } }]);
    await openUploader({ source: 'dropbox' });
    await press('Dropbox');
    await screen.findByText(/^Dropbox could not be reached\./);
    await press('Try again');
    expect(await screen.findByLabelText('rex.jpg')).toBeTruthy();
  });

  it('signs out by a POST, and then offers to sign in', async () => {
    await openUploader({ source: 'dropbox' });
    await press('Dropbox');
    await screen.findByLabelText('rex.jpg');
    responses.set(LOG_OUT, [{ status: 200, body: { ok: true, revoked: true } }]);
    // Uppy lists again.
    responses.set(LIST, [expired]);
    await press('Sign out');
    await screen.findByRole('button', { name: 'Sign in to Dropbox' });
    expect(requests).toContain(LOG_OUT);
  });

  it('keeps the focus in the panel after an error', async () => {
    const folder = { ...DROPBOX_FILE, id: 'pets', name: 'Pets', isFolder: true, requestPath: 'pets' };
    const items = [folder, DROPBOX_FILE];
    responses.set(LIST, [{ status: 200, body: { username: 'mara', nextPagePath: null, items } }]);
    responses.set(`${LIST}pets`, [{ status: 502 }]);
    await openUploader({ source: 'dropbox' });
    await press('Dropbox');
    await press('Open folder Pets');
    (await screen.findByRole('button', { name: 'Try again' })).focus();
    await press('Try again');
    await screen.findByLabelText('rex.jpg');
    // Not a folder's checkbox, which is hidden.
    expect(document.activeElement?.textContent).toBe('Cancel');
  });

  it('shows thumbnails of photos only', async () => {
    const thumbnail = '/companion/dropbox/thumbnail/x';
    const photo = { ...DROPBOX_FILE, thumbnail };
    const notes = { ...photo, id: 'notes', name: 'notes.txt', mimeType: 'text/plain', requestPath: 'notes' };
    responses.set(LIST, [
      { status: 200, body: { username: 'mara', nextPagePath: null, items: [photo, notes] } },
    ]);
    await openUploader({ source: 'dropbox' });
    await press('Dropbox');
    await screen.findByLabelText('notes.txt');
    expect(document.querySelectorAll(`img[src="${thumbnail}"]`)).toHaveLength(1);
  });

  it('offers to sign in again when the grant has expired', async () => {
    responses.set(DROPBOX_GET, [expired]);
    responses.set(REFRESH, [expired]);
    const { report } = stubSignInWindow();
    await uploadFromDropbox();
    await alert(signInExpiredMessage('dropbox'));
    await press('Sign in and retry upload');
    report('session');
    await finished();
    expect([count(REFRESH), count(DROPBOX_GET)]).toEqual([1, 2]);
  });

  it('refreshes an expired token itself', async () => {
    responses.set(DROPBOX_GET, [expired]);
    await uploadFromDropbox();
    await finished();
    expect([count(REFRESH), count(DROPBOX_GET), rejections]).toEqual([1, 2, []]);
  });
});

it("offers Google Drive's picker instead of its browser", async () => {
  const keys = { clientId: 'client', apiKey: 'key', appId: 'app' };
  await openUploader({ source: 'google-drive' }, { source: 'google-drive-picker', ...keys });
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Google Drive' })).toHaveLength(1));
});

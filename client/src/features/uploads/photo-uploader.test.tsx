// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { DECODE_TIMEOUT } from '#shared/transfers/upload';
import { ApiError } from '../../lib/api/api-client.ts';
import { createQueryClient } from '../../lib/api/query-client.ts';
import type { UploadedPhoto } from './photo-upload.ts';
import { PhotoUploader, type UploaderStage } from './photo-uploader.tsx';
import { stubResizeObserver } from '../../testing/stub-observers.ts';

const SIGN = 'POST /api/objects/upload';
const COMPLETE = 'POST /api/memories/complete-upload';
const PUT = /^PUT /;

type FakeStatus = number | 'no answer' | 'too slow' | Promise<number>;

const TOO_SLOW = {
  code: DECODE_TIMEOUT,
  message: 'This photo took too long to read. You can try again in ten minutes.',
};

/** The next responses by 'METHOD /path'; 200 by default. */
let responses: Map<string, FakeStatus[]>;
let requests: string[];
let rejections: string[];
let done: number;
let stage: UploaderStage;
let uploads: number;
let uploadedNames: string[];
let ownerId: string;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  ownerId = crypto.randomUUID();
  responses = new Map();
  requests = [];
  rejections = [];
  done = 0;
  uploads = 0;
  uploadedNames = [];
  stubResizeObserver();
  vi.stubGlobal('fetch', respond);
  vi.stubGlobal('XMLHttpRequest', StubbedRequest);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function takeStatus(request: string): Promise<number> {
  requests.push(request);
  const status = await (responses.get(request.replace(/\d+$/, ''))?.shift() ?? 200);
  if (status === 'too slow') return 503;
  if (status === 'no answer') throw new TypeError('Failed to fetch');
  return status;
}

async function respond(path: string, { method = 'GET' }: RequestInit = {}): Promise<Response> {
  const isTooSlow = responses.get(`${method} ${path}`)?.[0] === 'too slow';
  const status = await takeStatus(`${method} ${path}`);
  if (isTooSlow) return Response.json(TOO_SLOW, { status });
  const body = path === '/api/objects/upload' ? { uploadURL: `/uploads/${++uploads}?signature` } : {};
  return Response.json(body, { status });
}

/** Uppy sends bytes by XMLHttpRequest. */
class StubbedRequest {
  status = 0;
  statusText = '';
  responseText = '';
  upload = {};
  onload = () => {};
  onerror = () => {};
  #name = '';
  open(method: string, url: string) {
    this.#name = `${method} ${new URL(url).pathname}`;
  }
  setRequestHeader() {}
  abort() {}
  send() {
    takeStatus(this.#name).then(
      (status) => {
        this.status = status;
        if (status === 413) this.responseText = '<h1>413 Request Entity Too Large</h1>';
        if (status === 403) this.responseText = '{"message":"Request has expired"}';
        this.onload();
      },
      () => this.onerror(),
    );
  }
}

async function complete({ uploadURL, fileName }: UploadedPhoto): Promise<void> {
  const response = await fetch('/api/memories/complete-upload', { method: 'POST', body: uploadURL });
  if (!response.ok) throw new ApiError(response.status, await response.text());
  uploadedNames.push(fileName);
}

/** Like a freshly loaded page. */
function openUploader(photo: File | null = null) {
  return render(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <PhotoUploader
        ownerId={ownerId}
        photo={photo}
        onUploaded={complete}
        onRejected={(_error, reason) => rejections.push(reason ? `rejected: ${reason}` : 'rejected')}
        onCancel={() => {}}
        onDone={() => done++}
        onStage={(next) => (stage = next)}
      />
    </QueryClientProvider>,
  );
}

async function openAndChoose() {
  openUploader();
  const input = await waitFor(() => {
    const input = document.querySelector('input.uppy-Dashboard-input');
    if (!input) throw new Error('The dashboard is not there yet');
    return input;
  });
  fireEvent.change(input, { target: { files: [new File(['bytes'], 'dog.jpg', { type: 'image/jpeg' })] } });
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

/** Like a reload: components are not unmounted. */
async function reload() {
  await vi.advanceTimersByTimeAsync(1000);
  document.body.replaceChildren();
  openUploader();
}

async function uploadPhoto() {
  await openAndChoose();
  await press('Upload photo');
}

const rejection = () =>
  screen
    .getAllByRole('alert')
    .filter((alert) => !alert.closest('.photo-uploader'))
    .map(({ textContent }) => textContent)
    .join('');
const expectStage = (expected: UploaderStage) => waitFor(() => expect(stage).toBe(expected));
const count = (part: string | RegExp) => requests.filter((request) => request.match(part)).length;
const times = (length: number, each: FakeStatus): FakeStatus[] => Array.from({ length }, () => each);

describe('the uploader', () => {
  it('requests a URL, sends the photo and creates the memory', async () => {
    await uploadPhoto();
    await press('Done');
    expect(requests).toEqual([SIGN, 'PUT /uploads/1', COMPLETE]);
    await expectStage('done');
    expect([done, rejections]).toEqual([1, []]);
  });

  it('shows progress while the memory is created', async () => {
    let finish = (_: number) => {};
    responses.set(COMPLETE, [new Promise((resolve) => (finish = resolve))]);
    await uploadPhoto();
    await screen.findByText('Saving your memory...');
    await expectStage('finishing');
    expect(screen.queryByText('Complete')).toBeNull();
    finish(200);
    await screen.findByText('Complete');
    expect(screen.queryByText('Saving your memory...')).toBeNull();
  });

  it('retries a failed PUT with a new URL', async () => {
    responses.set('PUT /uploads/', [403]);
    await uploadPhoto();
    await screen.findByText('Upload failed');
    await expectStage('failed');
    expect(rejections).toEqual([]);
    await press('Show error details');
    expect(screen.getByText('The photo could not be sent. The server answered 403.')).toBeTruthy();
    await press('Retry upload');
    await press('Done');
    expect(screen.queryByText('Upload failed')).toBeNull();
    expect(requests).toEqual([SIGN, 'PUT /uploads/1', SIGN, 'PUT /uploads/2', COMPLETE]);
  });

  it.each([SIGN, 'PUT /uploads/', COMPLETE])(
    'offers no retry for a size that a proxy rejects at %s',
    async (request) => {
      responses.set(request, [413]);
      await uploadPhoto();
      await waitFor(() => expect(rejections).toEqual([`rejected: ${TOO_LARGE_FOR_SERVER}`]));
      expect(screen.queryByRole('button', { name: 'Retry upload' })).toBeNull();
    },
  );

  it('sends a photo again that arrived damaged', async () => {
    responses.set(COMPLETE, [409]);
    await uploadPhoto();
    await expectStage('failed');
    await press('Retry upload');
    await press('Done');
    expect(requests).toEqual([SIGN, 'PUT /uploads/1', COMPLETE, SIGN, 'PUT /uploads/2', COMPLETE]);
  });

  it('shows that decoding took too long, and asks again only by Retry', async () => {
    responses.set(COMPLETE, ['too slow']);
    await uploadPhoto();
    await screen.findByText(TOO_SLOW.message);
    await expectStage('failed');
    expect(count(COMPLETE)).toBe(1);
    await press('Retry upload');
    await press('Done');
    expect([count(PUT), count(COMPLETE)]).toEqual([1, 2]);
  });

  it('retries only creating the memory if that failed', async () => {
    responses.set(COMPLETE, [...times(5, 'no answer')]);
    await uploadPhoto();
    await vi.advanceTimersByTimeAsync(10_000);
    await screen.findByText('Upload failed');
    await expectStage('failed');
    expect([rejections, count(COMPLETE)]).toEqual([[], 5]);
    await press('Show error details');
    expect(
      screen.getByText('The photo was sent, but the memory could not be saved. The server did not answer.'),
    ).toBeTruthy();
    await press('Retry upload');
    await press('Done');
    expect([count(PUT), count(COMPLETE)]).toEqual([1, 6]);
  });

  it('creates one memory for repeated clicks on Retry', async () => {
    responses.set(COMPLETE, [500, 500, 500, 500, 500]);
    await uploadPhoto();
    await vi.advanceTimersByTimeAsync(10_000);
    const retry = await screen.findByRole('button', { name: 'Retry upload' });
    fireEvent.click(retry);
    fireEvent.click(retry);
    await press('Done');
    expect([count(PUT), count(COMPLETE)]).toEqual([1, 6]);
  });

  it('restores a stored upload and finishes it without a second PUT', async () => {
    responses.set(COMPLETE, [new Promise(() => {})]);
    await uploadPhoto();
    await screen.findByText('Saving your memory...');
    await reload();
    await screen.findByText('Session restored');
    await expectStage('chosen');
    await press('Upload photo');
    await press('Done');
    expect([count(PUT), count(COMPLETE)]).toEqual([1, 2]);
  });

  it.each([
    [SIGN, 'signs the URL'],
    ['PUT /uploads/', 'stores the photo'],
    [COMPLETE, 'makes the memory'],
  ])('%s: survives a gateway outage of some seconds while it %s', async (request) => {
    responses.set(request, [502, 503, 503]);
    await uploadPhoto();
    await screen.findByText('No response yet. Trying again...');
    await vi.advanceTimersByTimeAsync(5000);
    await press('Done');
    expect([count(request), rejections]).toEqual([4, []]);
  });

  it('waits for the network without using up an attempt', async () => {
    await openAndChoose();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await press('Upload photo');
    await screen.findByText('Waiting for the network');
    expect(requests).toEqual([]);
    onLine.mockReturnValue(true);
    fireEvent(window, new Event('online'));
    await press('Done');
    expect(requests).toHaveLength(3);
  });

  it("shows the storage's error message, e.g. for an expired URL", async () => {
    responses.set('PUT /uploads/', [403]);
    await uploadPhoto();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Request has expired'));
    await press('Retry upload');
    await press('Done');
    expect(count(SIGN)).toBe(2);
  });

  it('offers no retry for a photo that the server rejected', async () => {
    responses.set(COMPLETE, [415]);
    await uploadPhoto();
    await waitFor(() => expect(rejections).toEqual(['rejected']));
    expect(screen.queryByRole('button', { name: 'Retry upload' })).toBeNull();
  });

  it('does not offer a photo again that was saved right before the page was left', async () => {
    responses.set(COMPLETE, [501]);
    await uploadPhoto();
    await screen.findByText('Upload failed');
    await vi.advanceTimersByTimeAsync(1000);
    // Golden Retriever saves at the click, and again half a second later.
    await press('Retry upload');
    await expectStage('done');
    document.body.replaceChildren();
    openUploader();
    await screen.findByRole('button', { name: 'Choose a photo' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(stage).toBe('choosing');
    expect(screen.queryByText('Session restored')).toBeNull();
  });

  it('uploads a given photo at once, in place of one that would be restored', async () => {
    await openAndChoose();
    await expectStage('chosen');
    await vi.advanceTimersByTimeAsync(1000);
    document.body.replaceChildren();
    openUploader(new File(['others'], 'cat.jpg', { type: 'image/jpeg' }));
    expect(stage).toBe('uploading');
    await expectStage('done');
    await vi.advanceTimersByTimeAsync(1000);
    expect([uploadedNames, count(PUT), stage]).toEqual([['cat.jpg'], 1, 'done']);
    expect(screen.queryByText('Session restored')).toBeNull();
  });

  it('says in the drop area why a file was rejected, until another is chosen', async () => {
    openUploader();
    const input = await waitFor(() => document.querySelector('input.uppy-Dashboard-input') ?? expect.fail());
    fireEvent.change(input, { target: { files: [new File(['Once'], 'story.txt', { type: 'text/plain' })] } });
    await waitFor(() => expect(rejection()).toBe('Please choose a photo'));
    fireEvent.change(input, { target: { files: [new File(['bytes'], 'dog.jpg', { type: 'image/jpeg' })] } });
    await expectStage('chosen');
    expect(rejection()).toBe('');
  });

  it('keeps the photo if no other is chosen instead', async () => {
    await openAndChoose();
    await expectStage('chosen');
    await press('Replace photo');
    await expectStage('choosing');
    const input = document.querySelector('input.uppy-Dashboard-input') ?? expect.fail();
    fireEvent(input, new Event('cancel', { bubbles: true }));
    await expectStage('chosen');
    await press('Upload photo');
    await expectStage('done');
    expect(count(PUT)).toBe(1);
  });

  it('resets when the photo is removed', async () => {
    responses.set('PUT /uploads/', [403]);
    await uploadPhoto();
    await screen.findByText('Upload failed');
    await press('Replace photo');
    await expectStage('choosing');
    expect(screen.queryByText('Upload failed')).toBeNull();
  });
});

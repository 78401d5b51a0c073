import { describe, expect, it } from 'vitest';
import { IDLE, uploadReducer, type UploadEvent, type UploadState } from './upload-state.ts';

const uploadURL = 'http://localhost/uploads/1';
const error = new Error('No answer');
const after = (...events: UploadEvent[]) => events.reduce<UploadState>(uploadReducer, IDLE);

const start: UploadEvent = { type: 'started', uploadURL: null };
const stored: UploadEvent = { type: 'stored', uploadURL };
const fail: UploadEvent = { type: 'failed', error };
const restart: UploadEvent = { type: 'started', uploadURL };
const finished: UploadEvent = { type: 'finished' };

describe('upload state', () => {
  it.each<[string, UploadEvent[], UploadState]>([
    ['starts with the bytes', [start], { name: 'uploading', waiting: null }],
    ['finishes what is stored', [start, stored], { name: 'finishing', uploadURL, waiting: null }],
    ['is done once it is a memory', [start, stored, finished], { name: 'done' }],
    ['fails while sending', [start, fail], { name: 'failed', uploadURL: null, error }],
    ['sends again after that', [start, fail, start], { name: 'uploading', waiting: null }],
    ['fails while finishing', [start, stored, fail], { name: 'failed', uploadURL, error }],
    [
      'only finishes again after that',
      [start, stored, fail, restart],
      { name: 'finishing', uploadURL, waiting: null },
    ],
    ['finishes an earlier upload first', [restart], { name: 'finishing', uploadURL, waiting: null }],
    [
      'sends what the server is missing',
      [restart, { type: 'missing' }],
      { name: 'uploading', waiting: null },
    ],
    [
      'says why it waits',
      [start, { type: 'waiting', reason: 'offline' }],
      { name: 'uploading', waiting: 'offline' },
    ],
    [
      'waits no longer with the next attempt',
      [start, stored, { type: 'waiting', reason: 'retry' }, { type: 'attempted' }],
      { name: 'finishing', uploadURL, waiting: null },
    ],
    ['is idle without a photo', [start, stored, { type: 'reset' }], IDLE],
  ])('%s', (_, events, state) => expect(after(...events)).toEqual(state));

  it('ignores events after done', () => {
    const done = after(start, stored, finished);
    for (const event of [start, stored, finished, fail, restart])
      expect(uploadReducer(done, event)).toBe(done);
  });

  it('ignores a second start', () => {
    const uploading = after(start);
    expect(uploadReducer(uploading, restart)).toBe(uploading);
    const finishing = after(start, stored);
    expect(uploadReducer(finishing, start)).toBe(finishing);
  });
});

import { randomUUID } from 'node:crypto';
import { apiError, html, notFound } from './google-api.ts';
import type { OAuth } from './oauth.ts';
import { escapeHtml, type Call, type Reply, type Route } from './vendor-host.ts';
import type { VendorAccount, VendorFile } from './vendor-files.ts';

export const PICKED_PHOTOS = 'https://www.googleapis.com/auth/photospicker.mediaitems.readonly';
const POLL_INTERVAL = '0.2s';

type PickingSession = { id: string; picked: VendorFile[] | null };

/** Photos Picker API. */
export function createGooglePhotos(photos: VendorAccount, pickerOauth: OAuth) {
  const sessions = new Map<string, PickingSession>();

  const sessionJson = ({ id, picked }: PickingSession) => ({
    id,
    pickerUri: `https://photos.google.com/picker/${id}`,
    pollingConfig: { pollInterval: POLL_INTERVAL, timeoutIn: '1799s' },
    expireTime: new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString(),
    mediaItemsSet: picked !== null,
  });
  const findSession = (id: string | null): PickingSession => {
    const session = sessions.get(id ?? '');
    if (!session) throw notFound();
    return session;
  };
  const page = (call: Call, id = ''): Reply => {
    const session = findSession(id);
    if (session.picked) return { status: 404, ...html('This session has ended', '') };
    const chosen = photos.files.filter((file) => file.id === new URLSearchParams(call.body).get('id'));
    if (call.method === 'POST') {
      session.picked = chosen;
      return html('Done', '<p>Return to the app to continue.</p>');
    }
    const buttons = photos.files
      .filter(({ mimeType }) => mimeType.startsWith('image/'))
      .map((file) => `<button name="id" value="${file.id}">${escapeHtml(file.name)}</button>`);
    return html('Select photos', `<form method="post">${buttons.join(' ')}</form>`);
  };
  const routes: Route[] = [
    [
      'POST',
      /^\/v1\/sessions$/,
      (call) => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        const session = { id: randomUUID(), picked: null };
        sessions.set(session.id, session);
        return { json: sessionJson(session) };
      },
    ],
    [
      'GET',
      /^\/v1\/sessions\/([^/]+)$/,
      (call, id = '') => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        return { json: sessionJson(findSession(id)) };
      },
    ],
    [
      'DELETE',
      /^\/v1\/sessions\/([^/]+)$/,
      (call, id = '') => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        sessions.delete(findSession(id).id);
        return { json: {} };
      },
    ],
    [
      'GET',
      /^\/v1\/mediaItems$/,
      (call) => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        const { picked } = findSession(call.url.searchParams.get('sessionId'));
        if (!picked) return apiError(400, 'FAILED_PRECONDITION', 'The user has not picked media items yet.');
        return {
          json: {
            mediaItems: picked.map((file) => ({
              id: file.id,
              createTime: '2026-05-12T15:50:38Z',
              type: 'PHOTO',
              mediaFile: {
                baseUrl: `https://lh3.googleusercontent.com/ppa/${file.id}`,
                mimeType: file.mimeType,
                filename: file.name,
                mediaFileMetadata: { width: 640, height: 480, cameraMake: 'Phone', photoMetadata: {} },
              },
            })),
          },
        };
      },
    ],
  ];
  const download = (call: Call, id = ''): Reply => {
    if (!call.headers.authorization) return { status: 403 };
    pickerOauth.requireToken(call, PICKED_PHOTOS);
    const picked = [...sessions.values()].flatMap((session) => session.picked ?? []);
    const file = picked.find((each) => each.id === id);
    return file ? { headers: { 'Content-Type': file.mimeType }, body: file.bytes } : { status: 403 };
  };
  return { routes, page, download };
}

import { EMAIL_UNVERIFIED } from '#shared/accounts/user';
import { MemoryShare, Share, SharedLink, ShareQuery } from '#shared/album/share';
import { completed } from './caricature-routes.ts';
import { newId, type FakeState } from '../state/fake-state.ts';
import { FakeError, findById, parse, removeById } from '../state/items.ts';
import { command, list, route, type Call } from './route.ts';

export const shareRoutes = [
  list('GET /api/shares', Share, ({ state, query }) => {
    const { for: audience } = parse(query, ShareQuery);
    return state.shares.filter(
      ({ contactName }) => !audience || (audience === 'contact') === (contactName !== null),
    );
  }),
  command('DELETE /api/shares/:id', ({ state, params: { id } }) => {
    const { caricatureId } = findById(state.shares, id);
    setShareUrl(state, caricatureId, null);
    removeById(state.shares, id);
  }),
  route('GET /api/memories/:id/share', MemoryShare, (call) => {
    const { id } = memoryOf(call);
    return { url: call.state.shares.find(isOf('memoryId', id))?.url ?? null };
  }),
  route('POST /api/memories/:id/share', SharedLink, (call) => {
    const { id, imageUrl, caption } = memoryOf(call);
    return share(call.state, { memoryId: id, caricatureId: null, imageUrl, caption });
  }),
  command('DELETE /api/memories/:id/share', (call) => {
    const { id } = memoryOf(call);
    call.state.shares = call.state.shares.filter((each) => !isOf('memoryId', id)(each));
  }),
  route('POST /api/caricatures/:id/share', SharedLink, (call) => {
    const { id, caricatureImageUrl } = completed(call);
    const imageUrl = caricatureImageUrl ?? '';
    const link = share(call.state, { memoryId: null, caricatureId: id, imageUrl, caption: null });
    setShareUrl(call.state, id, link.url);
    return link;
  }),
  command('DELETE /api/caricatures/:id/share', (call) => {
    const { id } = completed(call);
    call.state.shares = call.state.shares.filter((each) => !isOf('caricatureId', id)(each));
    setShareUrl(call.state, id, null);
  }),
];

const isOf = (name: 'memoryId' | 'caricatureId', id: string) => (share: Share) =>
  share[name] === id && share.contactName === null;

function memoryOf({ state, params }: Call) {
  return findById(state.album.memories, params['id']);
}

type Shared = Pick<Share, 'memoryId' | 'caricatureId' | 'imageUrl' | 'caption'>;

function share(state: FakeState, shared: Shared): { url: string } {
  const { memoryId, caricatureId } = shared;
  const isSame = memoryId ? isOf('memoryId', memoryId) : isOf('caricatureId', caricatureId ?? '');
  const existing = state.shares.find(isSame);
  if (!state.user.emailVerified && !state.user.isAdmin)
    throw new FakeError(403, 'Please confirm your email address first. We sent you a link.', {
      code: EMAIL_UNVERIFIED,
    });
  if (existing) return { url: existing.url };
  const id = newId(state);
  const url = `${state.origin}/p/${id}`;
  state.shares.unshift({ id, ...shared, url, contactName: null, createdAt: state.now });
  return { url };
}

function setShareUrl(state: FakeState, caricatureId: string | null, shareUrl: string | null): void {
  const caricature = state.caricatures.find(({ id }) => id === caricatureId);
  if (caricature) caricature.shareUrl = shareUrl;
}

// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { useBulkChanges } from '../selection/use-bulk-changes.ts';
import { useMemoryList } from '../store/memory-lists.ts';
import { refetchMemories } from '../store/memory-mutations.ts';
import { useMoveToTrash, useRestoreFromTrash } from './use-memory-trash.ts';

const LAKE = someMemory({ id: '0191c0de-0000-7000-8000-000000000001', caption: 'Lake' });
const SNOW = someMemory({ id: '0191c0de-0000-7000-8000-000000000002', caption: 'Snow' });
const IDS = [LAKE.id, SNOW.id];

let server: MemoryServer;
setUpComponents();
beforeEach(() => {
  server = new MemoryServer([LAKE, SNOW]);
  vi.stubGlobal('fetch', server.fetch);
});
afterEach(() => vi.unstubAllGlobals());

function Album() {
  const [{ ids }] = useMemoryList({});
  const moveToTrash = useMoveToTrash();
  const restore = useRestoreFromTrash();
  const { remove } = useBulkChanges();
  return (
    <>
      <p>{ids?.length} in the album</p>
      {[LAKE, SNOW].map((memory) => (
        <p key={memory.id}>
          <button onClick={() => moveToTrash(memory)}>Delete {memory.caption}</button>
          <button onClick={() => restore(memory)}>Restore {memory.caption}</button>
        </p>
      ))}
      <button onClick={() => remove(IDS)}>Delete both</button>
    </>
  );
}

async function openAlbum() {
  const client = createQueryClient(() => {});
  const { user } = showPage(
    <QueryClientProvider client={client}>
      <Album />
    </QueryClientProvider>,
  );
  await screen.findByText('2 in the album');
  return { client, press: (name: string) => user.click(screen.getByRole('button', { name })) };
}

const expectToast = (text: string) =>
  waitFor(() => expect(document.querySelector('#notifications li')?.textContent ?? '').toBe(text));

describe('the toast of deleted memories', () => {
  it('makes way for the one of the restored memory', async () => {
    const { press } = await openAlbum();
    await press('Delete Lake');
    await expectToast('Memory deletedKept for 30 days.Undo');
    await press('Restore Lake');
    await expectToast('Memory restored');
  });

  it.each([['one by one', ['Delete Lake', 'Delete Snow']] as const, ['at once', ['Delete both']] as const])(
    'keeps those deleted %s that are not restored on another device',
    async (_, buttons) => {
      const { client, press } = await openAlbum();
      for (const button of buttons) await press(button);
      await expectToast('2 memories deletedKept for 30 days.Undo');
      await waitFor(() => expect(server.deleted).toHaveLength(2));
      const restoreElsewhere = async (id: string) => {
        server.restore(id);
        await act(() => refetchMemories(client, [id]));
      };
      await restoreElsewhere(SNOW.id);
      const one = buttons.length > 1 ? 'Memory' : '1 memory';
      await expectToast(`${one} deletedKept for 30 days.Undo`);
      // A plain click: jsdom has no pointer capture, which Radix uses on a press.
      fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
      await waitFor(() => expect(server.deleted).toEqual([]));
      await expectToast(buttons.length > 1 ? 'Memory restored' : '1 memory restored');
    },
  );

  it('is gone once the last one is restored on another device', async () => {
    const { client, press } = await openAlbum();
    await press('Delete Lake');
    await waitFor(() => expect(server.deleted).toHaveLength(1));
    await expectToast('Memory deletedKept for 30 days.Undo');
    server.restore(LAKE.id);
    await act(() => refetchMemories(client, [LAKE.id]));
    await expectToast('');
  });
});

// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { useMemoryList } from '../store/memory-lists.ts';
import { useNewMemories } from './use-new-memories.ts';

const HOUR_MS = 3_600_000;

let server: MemoryServer;

setUpComponents();
beforeEach(() => {
  server = new MemoryServer([]);
  vi.stubGlobal('fetch', server.fetch);
  for (const hoursAgo of [9, 8]) add(hoursAgo);
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** Later ones have to be added more recently. */
function add(hoursAgo: number): void {
  const createdAt = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
  const id = `0191c0de-0000-7000-8000-${String(server.memories.length).padStart(12, '0')}`;
  server.create(someMemory({ id, caption: `${hoursAgo} hours ago`, createdAt }));
}

/** Opens the gallery. @returns its lines, once it has as many memories as the server */
async function visit(userId = 'a'): Promise<string[]> {
  cleanup();
  showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <List userId={userId} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(server.memories.length));
  return screen.queryAllByRole('note').map((note) => note.textContent);
}

function List({ userId }: { userId: string }) {
  const [{ ids }] = useMemoryList({});
  const divider = useNewMemories(userId, ids);
  return (
    <ul>
      {ids?.map((id, index) => (
        <li key={id}>{divider?.index === index && <p role="note">{`${index}: ${divider.text}`}</p>}</li>
      ))}
    </ul>
  );
}

describe('the line before older memories', () => {
  it('is there at the visit after they were added, and for this account', async () => {
    expect(await visit()).toEqual([]);
    expect(await visit()).toEqual([]);
    for (const hoursAgo of [3, 2]) add(hoursAgo);
    expect(await visit('b')).toEqual([]);
    expect(await visit('a')).toEqual(['2: 2 new since you were here']);
    expect(await visit('a')).toEqual([]);
  });

  it('counts what was new when the visit began, and stays below what comes after that', async () => {
    await visit();
    add(3);
    add(-1);
    expect(await visit()).toEqual(['2: 1 new since you were here']);
    expect(await visit()).toEqual([]);
  });

  it('is not there for memories that are added during the visit', async () => {
    await visit();
    add(-1);
    expect(await visit()).toEqual([]);
  });

  it('is not there when a memory was deleted or came back', async () => {
    await visit();
    const [newest] = server.memories;
    server.delete(newest?.id ?? '');
    expect(await visit()).toEqual([]);
    server.restore(newest?.id ?? '');
    expect(await visit()).toEqual([]);
  });
});

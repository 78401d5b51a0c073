import { beforeEach, describe, expect, it } from 'vitest';
import { currentToast, dismissToast, showToast } from './toast-store.ts';

const undo = { name: 'Undo', onPress: () => {} };
const dismissCurrent = () => dismissToast(currentToast()!.id);

beforeEach(() => {
  while (currentToast()) dismissCurrent();
});

/** The titles that are seen when each is dismissed in its turn. */
function seen(): string[] {
  const titles: string[] = [];
  for (let toast = currentToast(); toast; toast = currentToast()) {
    titles.push(toast.title);
    dismissToast(toast.id);
  }
  return titles;
}

describe('a notice', () => {
  it('takes the place of the one before', () => {
    showToast({ title: 'Saved' });
    showToast({ title: 'Loved' });
    expect(seen()).toEqual(['Loved']);
  });

  it('waits while another offers to undo something, and then comes in its turn', () => {
    showToast({ title: 'Deleted', action: undo });
    for (const title of ['Saved', 'Loved', 'Added']) showToast({ title });
    expect(currentToast()?.title).toBe('Deleted');
    dismissCurrent();
    expect(currentToast()?.title).toBe('Saved');
    showToast({ title: 'Failed' });
    expect(seen()).toEqual(['Saved', 'Loved', 'Added', 'Failed']);
  });

  it('that offers to undo something comes at once, and others go on waiting', () => {
    showToast({ title: 'One deleted', action: undo });
    showToast({ title: 'Saved' });
    showToast({ title: 'Two deleted', action: undo });
    expect(seen()).toEqual(['Two deleted', 'Saved']);
  });

  it('that is urgent comes at once, and nothing that was said before comes after it', () => {
    showToast({ title: 'Deleted', action: undo });
    showToast({ title: 'Saved' });
    showToast({ title: 'Logged out', isUrgent: true });
    expect(seen()).toEqual(['Logged out']);
  });

  it('is not taken away by whoever meant the one before', () => {
    const before = showToast({ title: 'Saved' });
    showToast({ title: 'Loved' });
    dismissToast(before);
    expect(seen()).toEqual(['Loved']);
  });
});

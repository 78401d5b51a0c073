import { beforeEach, describe, expect, it } from 'vitest';
import { currentToast, dismissToast, showToast } from './toast-store.ts';

const undo = { name: 'Undo', onPress: () => {} };
const dismissCurrent = () => dismissToast(currentToast()!.id);

beforeEach(() => {
  while (currentToast()) dismissCurrent();
});

/** Dismisses every toast. @returns their titles in order */
function dismissAll(): string[] {
  const titles: string[] = [];
  for (let toast = currentToast(); toast; toast = currentToast()) {
    titles.push(toast.title);
    dismissToast(toast.id);
  }
  return titles;
}

describe('toast', () => {
  it('replaces the one before', () => {
    showToast({ title: 'Saved' });
    showToast({ title: 'Loved' });
    expect(dismissAll()).toEqual(['Loved']);
  });

  it('is queued while another has an action', () => {
    showToast({ title: 'Deleted', action: undo });
    for (const title of ['Saved', 'Loved', 'Added']) showToast({ title });
    expect(currentToast()?.title).toBe('Deleted');
    dismissCurrent();
    expect(currentToast()?.title).toBe('Saved');
    showToast({ title: 'Failed' });
    expect(dismissAll()).toEqual(['Saved', 'Loved', 'Added', 'Failed']);
  });

  it('with an action is shown at once, and the queue stays', () => {
    showToast({ title: 'One deleted', action: undo });
    showToast({ title: 'Saved' });
    showToast({ title: 'Two deleted', action: undo });
    expect(dismissAll()).toEqual(['Two deleted', 'Saved']);
  });

  it('that is urgent is shown at once and drops the queue', () => {
    showToast({ title: 'Deleted', action: undo });
    showToast({ title: 'Saved' });
    showToast({ title: 'Logged out', isUrgent: true });
    expect(dismissAll()).toEqual(['Logged out']);
  });

  it('replaces one with an action about the same subject', () => {
    showToast({ title: 'Taken back', action: undo, subject: 'batch' });
    showToast({ title: 'Saved' });
    showToast({ title: 'Back in your album', subject: 'batch' });
    expect(dismissAll()).toEqual(['Back in your album', 'Saved']);
  });

  it('is not dismissed by the id of the one before', () => {
    const before = showToast({ title: 'Saved' });
    showToast({ title: 'Loved' });
    dismissToast(before);
    expect(dismissAll()).toEqual(['Loved']);
  });
});

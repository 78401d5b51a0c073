// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-client.ts';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { currentToast } from '../toasts/toast-store.ts';
import { useConfirm } from './use-confirm.tsx';

setUpComponents();

/** A promise that the test resolves or rejects. */
function call() {
  let resolve = () => {};
  let reject = (_error: unknown) => {};
  const promise = new Promise<void>((...both) => ([resolve, reject] = both));
  return { start: vi.fn(() => promise), resolve: () => resolve(), reject: (error: unknown) => reject(error) };
}

function DeleteButton({ onConfirm, name = 'Delete Ace', onAnswer = () => {} }: DeleteButtonProps) {
  const confirm = useConfirm();
  const ask = async () => {
    const isConfirmed = await confirm({
      title: 'Delete this pet?',
      description: 'It will be gone.',
      confirmText: 'Delete',
      pendingText: 'Deleting...',
      errorToast: ['Failed to delete pet', 'Please try again.'],
      onConfirm,
    });
    onAnswer(isConfirmed);
  };
  return (
    <button type="button" onClick={() => void ask()}>
      {name}
    </button>
  );
}

interface DeleteButtonProps {
  onConfirm: () => Promise<unknown>;
  name?: string;
  onAnswer?: (isConfirmed: boolean) => void;
}

function PetList({ names, isMarked = false }: { names: string[]; isMarked?: boolean }) {
  const [left, setLeft] = useState(names);
  const remove = (name: string) => {
    setLeft((names) => names.filter((each) => each !== name));
    return Promise.resolve();
  };
  return (
    <>
      <h1 tabIndex={-1}>My Pets</h1>
      {isMarked && (
        <button type="button" data-focus-fallback="">
          Add New Pet
        </button>
      )}
      {left.length > 0 && (
        <ul>
          {left.map((name) => (
            <li key={name} tabIndex={-1} aria-label={name}>
              <DeleteButton name={`Delete ${name}`} onConfirm={() => remove(name)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const question = () => screen.queryByRole('alertdialog', { name: 'Delete this pet?' });
const answer = (name: string) => within(question()!).getByRole('button', { name });
const trigger = (name = 'Delete Ace') => screen.getByRole('button', { name });

describe('confirmation dialog', () => {
  it('focuses its safe button, where Enter and Escape cancel', async () => {
    const { start } = call();
    const onAnswer = vi.fn();
    const { user } = showPage(<DeleteButton onConfirm={start} onAnswer={onAnswer} />);
    for (const key of ['{Enter}', '{Escape}']) {
      await user.click(trigger());
      expect(question()).toHaveProperty('textContent', expect.stringContaining('It will be gone.'));
      expect(document.activeElement).toBe(answer('Cancel'));
      await user.keyboard(key);
      await waitFor(() => expect(document.activeElement).toBe(trigger()));
      expect(question()).toBeNull();
    }
    expect(onAnswer.mock.calls).toEqual([[false], [false]]);
    expect(start).not.toHaveBeenCalled();
  });

  it('stays open while pending, and confirms once', async () => {
    const { start, resolve } = call();
    const onAnswer = vi.fn();
    const { user } = showPage(<DeleteButton onConfirm={start} onAnswer={onAnswer} />);
    await user.click(trigger());
    // The second click of a double click.
    fireEvent.click(answer('Delete'), { detail: 2 });
    expect(start).not.toHaveBeenCalled();
    await user.dblClick(answer('Delete'));
    expect(answer('Deleting...').getAttribute('aria-disabled')).toBe('true');
    await user.click(answer('Deleting...'));
    await user.keyboard('{Escape}');
    await user.click(answer('Cancel'));
    expect(question()).not.toBeNull();
    expect(onAnswer).not.toHaveBeenCalled();
    resolve();
    await waitFor(() => expect(question()).toBeNull());
    await waitFor(() => expect(onAnswer.mock.calls).toEqual([[true]]));
    expect(start).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(trigger());
  });

  it('stays open after an error, shows it, and can be confirmed again', async () => {
    const failing = call();
    const start = vi.fn().mockImplementationOnce(failing.start).mockResolvedValueOnce(undefined);
    const { user } = showPage(<DeleteButton onConfirm={start} />);
    await user.click(trigger());
    await user.click(answer('Delete'));
    failing.reject(new TypeError('Failed to fetch'));
    const notice = { title: 'Failed to delete pet', description: 'Please try again.' };
    await waitFor(() => expect(currentToast()).toMatchObject(notice));
    await waitFor(() => expect(answer('Delete').getAttribute('aria-disabled')).toBeNull());
    await user.click(answer('Delete'));
    await waitFor(() => expect(question()).toBeNull());
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('shows no toast for a lost session', async () => {
    const { start, reject } = call();
    const { user } = showPage(<DeleteButton onConfirm={start} />);
    await user.click(trigger());
    await user.click(answer('Delete'));
    reject(new ApiError(401, '{"message":"Unauthorized"}'));
    await waitFor(() => expect(answer('Delete').getAttribute('aria-disabled')).toBeNull());
    expect(currentToast()).toBeNull();
  });

  it('closes when the component that asked unmounts', async () => {
    const { user, rerender } = showPage(<DeleteButton onConfirm={call().start} />);
    await user.click(trigger());
    expect(question()).not.toBeNull();
    rerender(<h1>Another page</h1>);
    expect(question()).toBeNull();
  });
});

describe('focus after a removal', () => {
  const remove = async (user: ReturnType<typeof showPage>['user'], name: string) => {
    await user.click(trigger(`Delete ${name}`));
    await user.click(answer('Delete'));
    await waitFor(() => expect(question()).toBeNull());
  };

  it('moves to the next row, else to the previous one, else to the fallback', async () => {
    const { user } = showPage(<PetList names={['Ace', 'Bella', 'Coco']} isMarked />);
    for (const [removed, next] of [
      ['Ace', 'Bella'],
      ['Coco', 'Bella'],
    ] as const) {
      await remove(user, removed);
      await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(next));
    }
    await remove(user, 'Bella');
    await waitFor(() => expect(document.activeElement).toBe(trigger('Add New Pet')));
  });

  it("moves to the page's heading without a marked fallback", async () => {
    const { user } = showPage(<PetList names={['Ace']} />);
    await remove(user, 'Ace');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')));
  });
});

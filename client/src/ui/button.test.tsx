// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button, buttonClasses } from './button.tsx';
import { IconButton } from './icon-button.tsx';

afterEach(cleanup);

const classesOf = (name: string) => [...screen.getByRole('button', { name }).classList];

describe('buttons', () => {
  it('take a class of the caller’s in place of their own for the same property', () => {
    render(
      <Button variant="quiet" size="small" className="px-0">
        Save
      </Button>,
    );
    const classes = classesOf('Save');
    expect(classes).toEqual(expect.arrayContaining(['px-0', 'text-small', 'text-ink', 'underline']));
    expect(classes).not.toEqual(expect.arrayContaining(['px-2']));
    expect(classes).not.toEqual(expect.arrayContaining(['text-body']));
  });

  it('lend their look to links', () => {
    render(<Button variant="secondary">Save</Button>);
    expect(buttonClasses({ variant: 'secondary' }).split(' ')).toEqual(classesOf('Save'));
  });

  it('say that they work, keep the focus and cannot be pressed again', async () => {
    const save = vi.fn();
    const button = (isPending: boolean) => (
      <Button onClick={save} isPending={isPending} pendingText="Saving...">
        Save
      </Button>
    );
    const { rerender } = render(button(false));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    rerender(button(true));
    const pending = screen.getByRole('button', { name: 'Saving...' });
    expect(document.activeElement).toBe(pending);
    expect(pending.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(pending);
    expect(save).toHaveBeenCalledTimes(1);
  });

  it('are named where they show an icon alone, and submit no form', () => {
    render(
      <IconButton name="Edit Rex" tone="danger">
        <svg />
      </IconButton>,
    );
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Edit Rex' }).type).toBe('button');
    expect(classesOf('Edit Rex')).toContain('hover:text-danger');
  });
});

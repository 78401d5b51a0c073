// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button, buttonClasses } from './button.tsx';
import { IconButton } from './icon-button.tsx';

afterEach(cleanup);

const classesOf = (name: string) => [...screen.getByRole('button', { name }).classList];

describe('buttons', () => {
  it('let className override their own classes', () => {
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

  it('share their classes with links', () => {
    render(<Button variant="secondary">Save</Button>);
    expect(buttonClasses({ variant: 'secondary' }).split(' ')).toEqual(classesOf('Save'));
  });

  it('show the pending text, keep the focus and ignore clicks while pending', async () => {
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

  it('have a name if they only show an icon, and do not submit forms', () => {
    render(
      <IconButton name="Edit Rex" tone="danger">
        <svg />
      </IconButton>,
    );
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Edit Rex' }).type).toBe('button');
    expect(classesOf('Edit Rex')).toContain('hover:text-danger');
  });
});

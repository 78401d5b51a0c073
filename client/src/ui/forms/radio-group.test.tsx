// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Sun } from 'lucide-react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { RadioCards, Segments } from './radio-group.tsx';

afterEach(cleanup);

function Pictures() {
  const [value, setValue] = useState<string>();
  return (
    <>
      <p id="legend">Pick a photo</p>
      <RadioCards
        labelledBy="legend"
        value={value}
        onChoose={setValue}
        choices={['lake', 'snow'].map((value) => ({
          value,
          title: `At the ${value}`,
          content: <img alt="" />,
        }))}
      />
    </>
  );
}

function Order() {
  const [value, setValue] = useState<'added' | 'taken'>('added');
  return (
    <Segments
      label="Order by date"
      value={value}
      onChoose={setValue}
      choices={[
        { value: 'added', name: 'Added' },
        { value: 'taken', name: 'Taken', Icon: Sun },
      ]}
    />
  );
}

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

describe('radio cards', () => {
  it('have a label and titles, and no initial choice', async () => {
    render(<Pictures />);
    expect(screen.getByRole('radiogroup', { name: 'Pick a photo' })).toBeTruthy();
    expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([
      false,
      false,
    ]);
    await userEvent.click(radio('At the snow'));
    expect(radio('At the snow').checked).toBe(true);
  });

  it('are one tab stop with native arrow keys', async () => {
    render(<Order />);
    expect(screen.getByRole('radiogroup', { name: 'Order by date' })).toBeTruthy();
    await userEvent.tab();
    expect(document.activeElement).toBe(radio('Added'));
    await userEvent.tab();
    expect(document.activeElement).toBe(document.body);
    expect(radio('Taken').name).toBe(radio('Added').name);
    await userEvent.click(radio('Taken'));
    expect([radio('Added').checked, radio('Taken').checked]).toEqual([false, true]);
  });

  it('are independent of other groups', () => {
    render(<Order />);
    render(<Order />);
    const [first, , second] = screen.getAllByRole<HTMLInputElement>('radio');
    expect([first!.checked, second!.checked]).toEqual([true, true]);
    expect(first!.name).not.toBe(second!.name);
  });
});

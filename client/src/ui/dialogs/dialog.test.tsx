// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { returnFocusTo } from '../focus.ts';
import { Menu } from '../menus/menu.tsx';
import { Dialog } from './dialog.tsx';

setUpComponents();

interface OpenerProps {
  name: string;
  /** The dialog's content; default: a close button. */
  children?: ReactNode;
  onClose?: () => void;
}

function Opener({ name, children, onClose = () => {} }: OpenerProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    onClose();
    setOpen(false);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {name}
      </button>
      <Dialog isOpen={isOpen} onClose={close} title={`${name} dialog`}>
        {children ?? <input aria-label="Name" autoFocus />}
      </Dialog>
    </>
  );
}

function Steps() {
  const [step, setStep] = useState<'closed' | 'form' | 'photo'>('closed');
  return (
    <>
      <button type="button" onClick={() => setStep('form')}>
        Add
      </button>
      <Dialog isOpen={step === 'form'} onClose={() => setStep('closed')} title="Form">
        <button type="button" onClick={() => setStep('photo')}>
          Next
        </button>
      </Dialog>
      <Dialog isOpen={step === 'photo'} onClose={() => setStep('closed')} title="Photo">
        <button type="button">Choose</button>
      </Dialog>
    </>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const dialog = (name: string) => screen.queryByRole('dialog', { name });
const expectFocus = (find: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(find()));

describe('closing a dialog returns the focus', () => {
  it('to the button that opened it, although a field in it is autofocused', async () => {
    const { user } = showPage(<Opener name="Add" />);
    await user.tab();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    await user.keyboard('{Escape}');
    await expectFocus(() => button('Add'));
  });

  it('to a button that was clicked without being focused, as in Safari', async () => {
    const { user } = showPage(
      <>
        <button type="button">Other</button>
        <Opener name="Add" />
      </>,
    );
    button('Other').focus();
    button('Add').click();
    expect(await screen.findByRole('dialog')).toBeTruthy();
    await user.keyboard('{Escape}');
    await expectFocus(() => button('Add'));
  });

  it('to the button of the menu that opened it', async () => {
    function Card() {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <Menu
            label="More actions"
            items={[{ name: 'Delete', Icon: Trash2, onChoose: () => setOpen(true) }]}
          />
          <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Delete it?">
            <input aria-label="Name" />
          </Dialog>
        </>
      );
    }
    const { user } = showPage(<Card />);
    await user.click(button('More actions'));
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await expectFocus(() => screen.getByLabelText('Name'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialog('Delete it?')).toBeNull());
    await expectFocus(() => button('More actions'));
  });

  it("to the menu's button if the item opens no dialog", async () => {
    const { user } = showPage(
      <Menu label="More actions" items={[{ name: 'Share', Icon: Trash2, onChoose: () => {} }]} />,
    );
    await user.click(button('More actions'));
    await user.click(screen.getByRole('menuitem', { name: 'Share' }));
    await expectFocus(() => button('More actions'));
  });

  it('one by one for nested dialogs', async () => {
    const { user } = showPage(
      <Opener name="Outer">
        <Opener name="Inner" />
      </Opener>,
    );
    await user.click(button('Outer'));
    await user.click(button('Inner'));
    await user.keyboard('{Escape}');
    await expectFocus(() => button('Inner'));
    await user.keyboard('{Escape}');
    await expectFocus(() => button('Outer'));
  });

  it('to the opener of the dialog that it replaced', async () => {
    const { user } = showPage(<Steps />);
    await user.click(button('Add'));
    await user.click(button('Next'));
    await expectFocus(() => button('Choose'));
    await user.keyboard('{Escape}');
    await expectFocus(() => button('Add'));
  });

  it('to the element that the page names', async () => {
    const { user } = showPage(
      <>
        <button type="button">Neighbor</button>
        <Opener name="Open" onClose={() => returnFocusTo(screen.getByText('Neighbor'))} />
      </>,
    );
    await user.click(button('Open'));
    await user.keyboard('{Escape}');
    await expectFocus(() => button('Neighbor'));
  });

  it('to the main landmark if its opener was removed and no fallback is marked', async () => {
    function Page() {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          {!isOpen && (
            <button type="button" onClick={() => setOpen(true)}>
              First photo
            </button>
          )}
          <OpenDialog />
        </>
      );
      function OpenDialog() {
        const [isThere, setThere] = useState(true);
        return (
          <Dialog isOpen={isOpen && isThere} onClose={() => setThere(false)} title="Add">
            <input aria-label="Name" />
          </Dialog>
        );
      }
    }
    const { user } = showPage(<Page />);
    await user.click(button('First photo'));
    await user.keyboard('{Escape}');
    await expectFocus(() => screen.getByRole('main'));
  });
});

describe('removing the opener after the dialog has closed', () => {
  it('moves the focus to the heading', async () => {
    function FirstPhoto({ isThere }: { isThere: boolean }) {
      return (
        <>
          <h1 tabIndex={-1}>Gallery</h1>
          {isThere && <Steps />}
        </>
      );
    }
    const { user, rerender } = showPage(<FirstPhoto isThere />);
    await user.click(button('Add'));
    await user.click(button('Next'));
    await user.keyboard('{Escape}');
    await expectFocus(() => button('Add'));
    rerender(<FirstPhoto isThere={false} />);
    await expectFocus(() => screen.getByRole('heading'));
  });
});

describe("removing a memory's tile", () => {
  interface Tiles {
    names: string[];
    total?: number;
  }
  function Grid({ names, total = names.length }: Tiles) {
    return (
      <div data-memory-list="">
        {names.map((name, index) => (
          <div key={name} role="listitem" aria-posinset={index + 1} aria-setsize={total}>
            <button type="button">Open {name}</button>
            <button type="button">Love {name}</button>
          </div>
        ))}
      </div>
    );
  }
  const page = (tiles: Tiles) => (
    <>
      <h1 tabIndex={-1}>Gallery</h1>
      <Grid {...tiles} />
    </>
  );

  it('moves the focus to the same button of its neighbor, or to the heading after the last one', async () => {
    const { rerender } = showPage(page({ names: ['Snow', 'Lake', 'Sofa'] }));
    button('Love Lake').focus();
    rerender(page({ names: ['Snow', 'Sofa'] }));
    await expectFocus(() => button('Love Sofa'));
    rerender(page({ names: ['Snow'] }));
    await expectFocus(() => button('Love Snow'));
    rerender(page({ names: [] }));
    await expectFocus(() => screen.getByRole('heading'));
  });

  it('moves no focus when the list only scrolled or the user moved on', async () => {
    const { rerender } = showPage(page({ names: ['Snow', 'Lake'], total: 9 }));
    button('Open Lake').focus();
    rerender(page({ names: ['Snow'], total: 9 }));
    await Promise.resolve();
    expect(document.activeElement).toBe(document.body);

    rerender(page({ names: ['Snow', 'Lake'] }));
    button('Open Lake').focus();
    button('Open Lake').blur();
    await Promise.resolve();
    rerender(page({ names: ['Snow'] }));
    await Promise.resolve();
    expect(document.activeElement).toBe(document.body);
  });
});

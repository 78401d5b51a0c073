import { CircleUserRound, Menu, X } from 'lucide-react';
import { useState } from 'react';
import { Link, useRoute } from 'wouter';
import type { User } from '#shared/user';
import { LogoutButton } from '../features/session/logout-button.tsx';
import { classNames } from '../lib/class-names.ts';
import { paths } from '../lib/paths.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ThemeSwitch } from '../ui/theme-switch.tsx';
import { Wordmark } from '../ui/wordmark.tsx';

const links = [
  { href: paths.home, name: 'Home' },
  { href: paths.pets, name: 'My Pets' },
  { href: paths.gallery, name: 'Gallery' },
  { href: paths.timeline, name: 'Timeline' },
  { href: paths.contacts, name: 'Contacts' },
];

export function NavBar({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  const MenuIcon = isOpen ? X : Menu;
  return (
    <header className="border-b border-hairline">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 px-5 py-2 sm:px-8 lg:flex-nowrap lg:py-3">
        <Wordmark />
        <IconButton
          name="Menu"
          aria-expanded={isOpen}
          aria-controls="menu"
          tone="ink"
          onClick={() => setOpen(!isOpen)}
          className="-mr-2 lg:hidden"
        >
          <MenuIcon className="size-6" />
        </IconButton>
        <div
          id="menu"
          className={classNames(
            'w-full flex-col gap-5 pt-3 pb-4 lg:flex lg:w-auto lg:min-w-0 lg:flex-1 lg:flex-row lg:items-center lg:justify-between lg:py-0',
            isOpen ? 'flex' : 'hidden',
          )}
        >
          <NavLinks onChoose={() => setOpen(false)} />
          <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-4 lg:min-w-0 lg:flex-nowrap">
            <p className="max-w-full min-w-0 max-lg:w-full lg:max-w-64">
              <AccountLink user={user} onChoose={() => setOpen(false)} />
            </p>
            <ThemeSwitch />
            <LogoutButton />
          </div>
        </div>
      </div>
    </header>
  );
}

function AccountLink({ user, onChoose }: { user: User; onChoose: () => void }) {
  const [isActive] = useRoute(paths.account);
  return (
    <Link
      href={paths.account}
      title="Your account"
      onClick={onChoose}
      aria-current={isActive ? 'page' : undefined}
      className="inline-flex min-h-11 max-w-full items-center gap-2 border-b-2 border-transparent align-bottom hover:border-hairline aria-[current=page]:border-accent"
    >
      <CircleUserRound className="shrink-0" />
      <span className="truncate">Welcome, {user.firstName || user.username}!</span>
    </Link>
  );
}

function NavLinks({ onChoose }: { onChoose: () => void }) {
  return (
    <nav aria-label="Main" className="shrink-0">
      <ul className="flex flex-col gap-x-6 lg:flex-row">
        {links.map(({ href, name }) => (
          <li key={href}>
            <NavLink href={href} name={name} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NavLink({ href, name, onChoose }: { href: string; name: string; onChoose: () => void }) {
  const [isActive] = useRoute(href);
  return (
    <Link
      href={href}
      onClick={onChoose}
      aria-current={isActive ? 'page' : undefined}
      className="inline-flex min-h-11 items-center border-b-2 border-transparent font-semibold text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
    >
      {name}
    </Link>
  );
}

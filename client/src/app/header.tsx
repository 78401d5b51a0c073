import { CircleUserRound, Menu, Monitor, Moon, Sun, UsersRound, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import type { User } from '#shared/user';
import { LogoutButton } from '../features/sessions/logout-button.tsx';
import { classNames } from '../lib/class-names.ts';
import { paths } from '../lib/paths.ts';
import { useThemeChoice } from '../lib/theme.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Segments } from '../ui/radio-group.tsx';

const links = [
  { href: paths.home, name: 'Home' },
  { href: paths.pets, name: 'My Pets' },
  { href: paths.gallery, name: 'Gallery' },
  { href: paths.timeline, name: 'Timeline' },
  { href: paths.contacts, name: 'Contacts' },
];

const themes = [
  { value: 'system' as const, name: 'Follow the system', Icon: Monitor },
  { value: 'light' as const, name: 'Light', Icon: Sun },
  { value: 'dark' as const, name: 'Dark', Icon: Moon },
];

export function PublicHeader() {
  return (
    <header className="mx-auto flex max-w-6xl items-center justify-between gap-x-2 px-5 py-2 sm:px-8 sm:py-4">
      <Wordmark />
      <ThemeSwitch />
    </header>
  );
}

export function NavBar({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
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
          <nav aria-label="Main" className="shrink-0">
            <ul className="flex flex-col gap-x-6 lg:flex-row">
              {links.map(({ href, name }) => (
                <li key={href}>
                  <NavLink
                    href={href}
                    onChoose={close}
                    className="font-semibold text-muted hover:text-ink aria-[current=page]:text-ink"
                  >
                    {name}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-4 lg:min-w-0 lg:flex-nowrap">
            {user.isAdmin && (
              <NavLink
                href={paths.admin}
                title="People"
                onChoose={close}
                className="min-w-11 gap-2 text-muted hover:text-ink aria-[current=page]:text-ink max-lg:w-full lg:justify-center"
              >
                <UsersRound className="shrink-0" />
                <span className="lg:sr-only">People</span>
              </NavLink>
            )}
            <p className="max-w-full min-w-0 max-lg:w-full lg:max-w-64">
              <NavLink
                href={paths.account}
                title="Your account"
                onChoose={close}
                className="max-w-full gap-2 align-bottom hover:border-hairline"
              >
                <CircleUserRound className="shrink-0" />
                <span className="truncate">Welcome, {user.firstName || user.username}!</span>
              </NavLink>
            </p>
            <ThemeSwitch />
            <LogoutButton />
          </div>
        </div>
      </div>
    </header>
  );
}

interface NavLinkProps {
  href: string;
  title?: string;
  onChoose: () => void;
  className: string;
  children: ReactNode;
}

function NavLink({ onChoose, className, ...link }: NavLinkProps) {
  const [isActive] = useRoute(link.href);
  return (
    <Link
      {...link}
      onClick={onChoose}
      aria-current={isActive ? 'page' : undefined}
      className={classNames(
        'inline-flex min-h-11 items-center border-b-2 border-transparent aria-[current=page]:border-accent',
        className,
      )}
    />
  );
}

function ThemeSwitch() {
  const [choice, choose] = useThemeChoice();
  return (
    <Segments
      label="Theme"
      choices={themes}
      value={choice}
      onChoose={choose}
      className="border-hairline"
      choiceClassName="size-11 sm:size-9"
    />
  );
}

function Wordmark() {
  return (
    <Link
      href={paths.home}
      className="flex min-h-11 items-center gap-2.5 font-display text-body font-semibold tracking-tight whitespace-nowrap sm:text-lead"
    >
      <PawPrintMark />
      Mems Are Forever
    </Link>
  );
}

function PawPrintMark() {
  return (
    <svg aria-hidden viewBox="0 0 28 32" className="h-7 w-auto -rotate-6">
      <rect x="1" y="1" width="26" height="30" rx="2" className="fill-print stroke-edge" strokeWidth="1" />
      <rect x="4" y="4" width="20" height="18" rx="1" className="fill-accent" />
      <g className="fill-on-accent">
        <ellipse cx="14" cy="16.2" rx="3.6" ry="2.9" />
        <circle cx="9" cy="12.6" r="1.6" />
        <circle cx="12.2" cy="9.6" r="1.7" />
        <circle cx="15.8" cy="9.6" r="1.7" />
        <circle cx="19" cy="12.6" r="1.6" />
      </g>
    </svg>
  );
}

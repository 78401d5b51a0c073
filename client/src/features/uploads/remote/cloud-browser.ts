import type { Body, Meta, PartialTreeFile, PartialTreeFolderNode, UnknownProviderPlugin } from '@uppy/core';
import { isAuthError, type Provider } from '@uppy/core/companion-client';
import { h, type ComponentChild } from '@uppy/core/utils/preact';
import type Dropbox from '@uppy/dropbox';
import {
  REMOTE_SOURCE_NAMES,
  SESSION_TOKEN,
  signInExpiredMessage,
  type OAuthSource,
} from '#shared/transfers/remote-source';
import { COMPANION_URL } from './companion-url.ts';
import { isPanelOpen } from '../uppy/patch-uppy-dashboard.ts';
import type { PhotoUppy } from '../one-photo.ts';
import { openSignInWindow, SignInError } from './sign-in-window.ts';

const UNREACHABLE = 'could not be reached. Please check your connection and try again.';

type CloudPlugin = UnknownProviderPlugin<Meta, Body> & {
  provider: Provider<Meta, Body>;
  render: (state: unknown) => ComponentChild;
};
type Item = PartialTreeFile | PartialTreeFolderNode;
interface Listing {
  items: { icon: string; isFolder: boolean; mimeType?: string | null; thumbnail?: string }[];
}

/** Adds Uppy's browser of a cloud drive, adapted to one photo, our sign-in and our errors. */
export function installCloudBrowser(uppy: PhotoUppy, Plugin: typeof Dropbox, source: OAuthSource): void {
  uppy.use(Plugin<Meta, Body>, { id: source, companionUrl: COMPANION_URL });
  const plugin = uppy.getPlugin<CloudPlugin>(source);
  if (!plugin) return;
  // Rows high enough for a finger: those of Uppy's virtual list are 35 px.
  plugin.view.opts.virtualList = false;
  // In Uppy's results of a server's search, a click on a file does nothing. The whole folder is loaded anyway.
  plugin.view.opts.supportsSearch = false;
  selectOnePhoto(plugin);
  showProblems(plugin, source);
}

/** Choosing a photo replaces the one chosen before. */
function selectOnePhoto({ view }: CloudPlugin): void {
  const toggle = view.toggleCheckbox.bind(view);
  view.toggleCheckbox = (item: Item) => {
    if (item.status !== 'checked') view.cancelSelection();
    toggle(item, false);
  };
}

/** Uppy hides why a sign-in failed, and shows a folder that could not be listed as an empty one. */
function showProblems(plugin: CloudPlugin, source: OAuthSource): void {
  const { provider, view, uppy } = plugin;
  const name = REMOTE_SOURCE_NAMES[source];
  let signInProblem: string | null = null;
  let listProblem: string | null = null;
  uppy.on('dashboard:close-panel', () => (signInProblem = listProblem = null));

  provider.login = async ({ signal }) => {
    signInProblem = null;
    try {
      await openSignInWindow(provider.authUrl({ authFormData: undefined, query: {} }), name, signal);
    } catch (error) {
      if (error instanceof SignInError) signInProblem = error.message;
      throw error;
    }
    // The real token is in the session: this only records that there is one.
    await provider.setAuthToken(SESSION_TOKEN);
  };

  // Uppy sends a GET, which other sites can make a browser send.
  provider.logout = async <Result>(options?: Parameters<Provider<Meta, Body>['logout']>[0]) => {
    const response = await provider.post<Result>(`${provider.id}/logout`, {}, options);
    await plugin.storage.removeItem(provider.tokenKey);
    return response;
  };

  const list = provider.list.bind(provider);
  provider.list = async <Result>(...[folder, options]: Parameters<typeof list>): Promise<Result> => {
    const hadGrant = await plugin.storage.getItem(provider.tokenKey);
    try {
      const listing = await list<Result & Listing>(folder, options);
      return { ...listing, items: listing.items.map(withThumbnailAsIcon) };
    } catch (error) {
      if (!isAuthError(error)) listProblem = options.signal?.aborted ? null : toListProblem(name, error);
      else if (hadGrant) signInProblem = signInExpiredMessage(source);
      throw error;
    }
  };

  view.opts.renderAuthForm = ({ loading, onAuth }) =>
    h('div', { class: 'cloud-sign-in' }, [
      h('p', { role: 'status' }, loading ? `Continue in the ${name} window.` : signInProblem),
      primaryButton(loading ? 'Open it again' : `Sign in to ${name}`, () => void onAuth(undefined)),
    ]);
  const listAgain = () => {
    listProblem = null;
    // Uppy takes any failed request for a missing sign-in.
    plugin.setPluginState({ authenticated: undefined });
    void view.openFolder(plugin.getPluginState().currentFolderId);
  };
  plugin.render = (state: unknown) => {
    // A panel that is being closed would list the folder again.
    if (!isPanelOpen(uppy, source)) return null;
    if (listProblem === null) return view.render(state);
    return h('div', { class: 'remote-problem' }, [
      h('p', { role: 'alert' }, listProblem),
      primaryButton('Try again', listAgain),
    ]);
  };
}

function primaryButton(label: string, onClick: () => void) {
  return h(
    'button',
    {
      type: 'button',
      class: 'uppy-u-reset uppy-c-btn uppy-c-btn-primary',
      'data-uppy-super-focusable': true,
      onClick,
    },
    label,
  );
}

/** The server's own sentence, if it sent one. */
function toListProblem(name: string, error: unknown): string {
  return error instanceof Error && error.name === 'UserFacingApiError'
    ? error.message
    : `${name} ${UNREACHABLE}`;
}

/** Vendors have no thumbnails of other files: the request would fail. */
function withThumbnailAsIcon<Entry extends Listing['items'][number]>(item: Entry): Entry {
  const isPhoto = !item.isFolder && item.mimeType?.startsWith('image/');
  return item.thumbnail && isPhoto ? { ...item, icon: item.thumbnail } : item;
}

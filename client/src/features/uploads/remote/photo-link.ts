import { UIPlugin, type Body, type Meta, type UIPluginOptions, type Uppy } from '@uppy/core';
import { h, type ComponentChild } from '@uppy/core/utils/preact';
import {
  REMOTE_ERRORS,
  REMOTE_PATH,
  REMOTE_SOURCE_NAMES,
  type LinkedPhoto,
} from '#shared/transfers/remote-source';
import { ANOTHER_PHOTO, NOTICE_MS, type RemotePhoto } from '../one-photo.ts';
import { toUploadErrorMessage } from '../upload-error.ts';
import { openPanel } from '../uppy/patch-uppy-dashboard.ts';

interface PhotoLinkOptions extends UIPluginOptions {
  findPhoto: (url: string, signal: AbortSignal) => Promise<LinkedPhoto>;
  /** The button's label. */
  title?: string;
}

interface PhotoLinkState extends Record<string, unknown> {
  text: string;
  isLoading: boolean;
  error: string | null;
}

const EMPTY: PhotoLinkState = { text: '', isLoading: false, error: null };
const IDS = { input: 'photo-link', hint: 'photo-link-hint', error: 'photo-link-error' };

/**
 * Adds the photo of a link that is typed, pasted or dropped. @uppy/url is not used: it shows no progress, hides the
 * server's reason, and its methods are private.
 */
export class PhotoLink extends UIPlugin<PhotoLinkOptions, Meta, Body, PhotoLinkState> {
  readonly icon = linkIcon;
  #search = new AbortController();

  constructor(uppy: Uppy<Meta, Body>, options: PhotoLinkOptions) {
    super(uppy, options);
    this.id = 'url';
    this.type = 'acquirer';
    this.title = options.title ?? REMOTE_SOURCE_NAMES.url;
    this.setPluginState(EMPTY);
  }

  override install(): void {
    this.uppy.on('dashboard:close-panel', this.#reset);
  }

  override uninstall(): void {
    this.uppy.off('dashboard:close-panel', this.#reset);
    this.#search.abort();
  }

  /** Called by the dashboard. */
  handleRootPaste(event: ClipboardEvent): void {
    const data = event.clipboardData;
    if (data && data.files.length === 0) this.#open(data.getData('text/plain').trim());
  }

  /** Called by the dashboard. */
  handleRootDrop(event: DragEvent): void {
    if (event.dataTransfer) this.#open(findDroppedLink(event.dataTransfer));
  }

  override render(): ComponentChild {
    const { text, isLoading, error } = this.getPluginState();
    const submit = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      void this.#add(text);
    };
    return h('form', { class: 'photo-link', noValidate: true, onSubmit: submit }, [
      h('label', { for: IDS.input }, 'Link to the photo'),
      h('input', {
        id: IDS.input,
        type: 'url',
        value: text,
        placeholder: 'https://',
        autocomplete: 'off',
        spellcheck: false,
        readOnly: isLoading,
        'aria-invalid': error !== null,
        'aria-describedby': error === null ? IDS.hint : IDS.error,
        'data-uppy-super-focusable': true,
        onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
          this.setPluginState({ text: currentTarget.value, error: null }),
      }),
      h('p', { id: IDS.error, class: 'photo-link-error', role: 'alert' }, error),
      error === null &&
        h(
          'p',
          { id: IDS.hint, class: 'photo-link-hint' },
          'The link of the photo itself, not of the page that shows it.',
        ),
      h(
        'button',
        { type: 'submit', class: 'uppy-u-reset uppy-c-btn uppy-c-btn-primary', 'aria-disabled': isLoading },
        isLoading ? 'Getting the photo...' : 'Get the photo',
      ),
    ]);
  }

  #open(text: string): void {
    if (text === '' || this.getPluginState().isLoading) return;
    if (this.uppy.getFiles().length > 0) return void this.uppy.info(ANOTHER_PHOTO, 'info', NOTICE_MS);
    openPanel(this.uppy, this.id);
    void this.#add(text);
  }

  async #add(text: string): Promise<void> {
    if (this.getPluginState().isLoading) return;
    const url = toPhotoUrl(text);
    this.setPluginState({
      text,
      isLoading: url !== null,
      error: url === null ? REMOTE_ERRORS.notALink : null,
    });
    if (url === null) return;
    this.#search = new AbortController();
    const { signal } = this.#search;
    try {
      const photo = await this.opts.findPhoto(url, signal);
      signal.throwIfAborted();
      this.#addFile(url, photo);
    } catch (error) {
      if (!signal.aborted) this.setPluginState({ isLoading: false, error: toLinkError(error) });
    }
  }

  #addFile(url: string, { name, type, size, preview }: LinkedPhoto): void {
    const photo: Partial<RemotePhoto> & { data: RemotePhoto['data'] } = {
      source: this.id,
      name,
      type,
      data: { size },
      isRemote: true,
      preview,
      remote: {
        companionUrl: REMOTE_PATH,
        url: `${REMOTE_PATH}/url/get`,
        body: { fileId: url, url },
        requestClientId: this.id,
      },
    };
    this.uppy.addFile(photo);
  }

  readonly #reset = (): void => {
    this.#search.abort();
    this.setPluginState(EMPTY);
  };
}

/** Uppy's restrictions have their own messages. */
function toLinkError(error: unknown): string {
  const isRestriction = error instanceof Error && 'isRestriction' in error;
  return isRestriction ? error.message : toUploadErrorMessage(error);
}

/** @returns null if the text is not a link */
export function toPhotoUrl(text: string): string | null {
  const link = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(link);
  try {
    const url = new URL(hasScheme ? link : `https://${link}`);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    return isWeb && (hasScheme || url.hostname.includes('.')) ? url.href : null;
  } catch {
    return null;
  }
}

/** Of an image inside a link the browser gives the link's address: prefer the image's. */
export function findDroppedLink(data: Pick<DataTransfer, 'getData'>): string {
  const dropped = new DOMParser().parseFromString(data.getData('text/html'), 'text/html');
  const source = dropped.querySelector('img')?.getAttribute('src') ?? '';
  if (/^https?:/i.test(source)) return source;
  const lines = data.getData('text/uri-list').split(/\r?\n/);
  return lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
}

function linkIcon() {
  const lines = [
    'M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71',
    'M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71',
  ];
  return h(
    'svg',
    {
      'aria-hidden': true,
      viewBox: '0 0 24 24',
      width: 24,
      height: 24,
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 2,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    },
    lines.map((d) => h('path', { d })),
  );
}

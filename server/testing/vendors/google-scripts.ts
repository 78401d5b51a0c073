/** https://accounts.google.com/gsi/client: https://developers.google.com/identity/oauth2/web/reference/js-reference */
export const GIS_SCRIPT = `(() => {
  const fail = (config, type, message) =>
    config.error_callback && config.error_callback(Object.assign(new Error(message), { type }));
  const oauth2 = {
    initTokenClient(config) {
      for (const name of ['client_id', 'scope', 'callback'])
        if (!config[name]) throw new Error('Missing required parameter ' + name + '.');
      return {
        requestAccessToken(overrides = {}) {
          const url = new URL('https://accounts.google.com/o/oauth2/v2/auth');
          url.search = new URLSearchParams({
            response_type: 'token',
            client_id: config.client_id,
            scope: config.scope,
            origin: location.origin,
            prompt: overrides.prompt ?? config.prompt ?? 'select_account',
          });
          const popup = open(url, 'g_auth_token_window', 'width=500,height=600');
          if (!popup) return fail(config, 'popup_failed_to_open', 'Failed to open popup window.');
          const end = () => {
            clearInterval(timer);
            removeEventListener('message', receive);
          };
          const receive = (event) => {
            if (event.source !== popup || event.origin !== url.origin) return;
            end();
            config.callback(event.data);
          };
          let isClosed = false;
          // Twice, since the window may have sent the token just before.
          const timer = setInterval(() => {
            if (isClosed) {
              end();
              fail(config, 'popup_closed', 'Popup window closed');
            }
            isClosed = popup.closed;
          }, 200);
          addEventListener('message', receive);
        },
      };
    },
    revoke(token, done) {
      const body = new URLSearchParams({ token });
      fetch('https://oauth2.googleapis.com/revoke', { method: 'POST', body }).then((response) =>
        done({ successful: response.ok }),
      );
    },
  };
  window.google = { ...window.google, accounts: { oauth2 } };
})();`;

/** https://apis.google.com/js/api.js: https://developers.google.com/workspace/drive/picker/reference */
export const GAPI_SCRIPT = `(() => {
  const addFrame = (parent, url) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    parent.append(frame);
    return frame;
  };
  const client = {
    // Like all calls of this client, through a frame of its own host.
    load(url) {
      if (url !== 'https://www.googleapis.com/discovery/v1/apis/drive/v3/rest')
        return Promise.reject(new Error('Unknown API ' + url));
      return new Promise((resolve) => {
        const frame = addFrame(document.body, 'https://content.googleapis.com/static/proxy.html');
        frame.hidden = true;
        addEventListener('message', (event) => {
          if (event.source === frame.contentWindow && event.data === 'discovery') resolve();
        });
      });
    },
  };
  class DocsView {
    setIncludeFolders() { return this; }
    setSelectFolderEnabled() { return this; }
    setMode() { return this; }
    setMimeTypes() { return this; }
    setParent() { return this; }
  }
  class PickerBuilder {
    params = new URLSearchParams({ origin: location.origin });
    views = [];
    enableFeature() { return this; }
    setDeveloperKey(key) { this.params.set('developerKey', key); return this; }
    setAppId(id) { this.params.set('appId', id); return this; }
    setOAuthToken(token) { this.params.set('oauth_token', token); return this; }
    setOrigin(origin) { this.params.set('origin', origin); return this; }
    setLocale() { return this; }
    setTitle() { return this; }
    addView(view) { this.views.push(view); return this; }
    setCallback(callback) { this.callback = callback; return this; }
    build() {
      if (this.views.length === 0) throw new Error('No view');
      const { callback } = this;
      const background = document.createElement('div');
      background.className = 'picker-dialog-bg';
      const dialog = document.createElement('div');
      dialog.className = 'picker picker-dialog';
      Object.assign(dialog.style, { position: 'fixed', inset: '10% 5%', zIndex: 1001, background: '#fff' });
      const frame = addFrame(dialog, 'https://docs.google.com/picker?' + this.params);
      Object.assign(frame.style, { width: '100%', height: '100%', border: '0' });
      const receive = (event) => {
        if (event.source !== frame.contentWindow || event.origin !== 'https://docs.google.com') return;
        if (event.data.action !== 'loaded') picker.setVisible(false);
        callback(event.data);
      };
      const picker = {
        setVisible(isVisible) {
          if (isVisible) {
            addEventListener('message', receive);
            document.body.append(background, dialog);
          } else {
            dialog.style.display = 'none';
            background.style.display = 'none';
          }
          return picker;
        },
        isVisible: () => dialog.isConnected && dialog.style.display !== 'none',
        dispose() {
          removeEventListener('message', receive);
          background.remove();
          dialog.remove();
        },
      };
      return picker;
    }
  }
  const picker = {
    Action: { CANCEL: 'cancel', PICKED: 'picked', LOADED: 'loaded', ERROR: 'error' },
    Feature: { NAV_HIDDEN: 'navHidden', MULTISELECT_ENABLED: 'multiselectEnabled' },
    ViewId: { DOCS: 'all', DOCS_IMAGES: 'docs-images' },
    DocsViewMode: { LIST: 'list', GRID: 'grid' },
    DocsView,
    PickerBuilder,
  };
  window.gapi = {
    load(names, done) {
      for (const name of names.split(':')) {
        if (name === 'client') window.gapi.client = client;
        else if (name === 'picker') window.google = { ...window.google, picker };
        else throw new Error('Unknown module ' + name);
      }
      setTimeout(typeof done === 'function' ? done : done.callback);
    },
  };
})();`;

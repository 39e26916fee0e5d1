/* Types of our pages, in addition to those of the browser. */

/** A button that opens a panel, or an input that the keys of the tray fill. */
type Step = HTMLButtonElement | HTMLInputElement;

/** The scorepad of the visible form. */
interface Pad {
  form: HTMLFormElement;
  tray: HTMLElement;
  /** Ends with the page. */
  signal: AbortSignal;
  pointers: import("../scoring/js/entry/pointer_tracker.js").PointerTracker;
  /** The open step. */
  current: Step | null;
  /** Whether the first key replaces what the step holds. */
  isFresh: boolean;
  /** Whether the open step was opened automatically because the one before was full. */
  hasMoved: boolean;
  /** Whether the last input was a tap: then a choice opens the next step, unlike with arrow keys. */
  isPointed: boolean;
}

interface Htmx {
  process(element: Element): void;
  trigger(element: Element, name: string): void;
  ajax(method: string, path: string, options: object): Promise<void>;
}

/** The details of htmx events; each event has some of them. */
interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  successful: boolean;
  xhr?: XMLHttpRequest;
  parameters: Record<string, unknown>;
  headers: Record<string, string>;
  formData: FormData;
  requestConfig: { path: string; formData: FormData };
}

interface PageEvents {
  "htmx:afterRequest": CustomEvent<HtmxDetail>;
  "htmx:afterSwap": CustomEvent<HtmxDetail>;
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:configRequest": CustomEvent<HtmxDetail>;
  /** Another page was drawn in place of the current one. */
  "tricky:drawn": CustomEvent;
  /** The queue of this phone has changed. */
  "tricky:outbox": CustomEvent;
  /** The network is back. */
  "tricky:back": CustomEvent;
  /** The local server is ready. */
  "tricky:ready": CustomEvent;
  /** The entry of a form was saved on this phone. */
  "tricky:saved": Event;
  /** A hand is to be saved before it is complete. */
  "tricky:partial-hand": CustomEvent<HTMLFormElement>;
  /** The hand cannot be saved without this step. */
  "tricky:missing": CustomEvent<Step>;
}

interface DocumentEventMap extends PageEvents {}
interface HTMLElementEventMap extends PageEvents {}

interface Window {
  htmx: Htmx;
}
interface Navigator {
  connection?: { saveData?: boolean };
}

/** The keys for pieces and their current input. */
interface PiecePad {
  form: HTMLFormElement;
  keys: HTMLElement;
  /** The input that was focused last. */
  target: HTMLInputElement;
  /** Whether the next card is a new trump. */
  isTurning: boolean;
  /** Whether a key was tapped since the last piece. */
  isChoosing: boolean;
}

/** A hand whose pieces are recorded. */
interface Recording {
  form: HTMLFormElement;
  recorded: HTMLInputElement;
  preview: HTMLElement | null;
  /** Complete tricks in the last preview. */
  tricks: number;
  /** Runs while nobody taps. */
  idleTimer?: ReturnType<typeof setTimeout>;
}

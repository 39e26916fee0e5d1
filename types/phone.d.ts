/* What phones store and send, as described in docs/reference/phone-protocol.md. */

/** The fields of a form; a list if a field has several values. */
type Fields = Record<string, any>;

interface Fault {
  message: string;
  field?: string;
  clause?: string;
}

/** What a phone queues until the server has it. */
interface Entry {
  format: "trick-entry";
  version: 1;
  key: string;
  kind: string;
  address: string;
  number?: number;
  base?: number;
  /** A hand as in a match record, the head of a record, or an action. */
  body?: any;
  made_by?: string;
  reason?: string;
  /** A note on the hand. */
  note?: string;
  /** Whether a hand is entered although it is being played on the board. */
  instead_of_board?: boolean;
  phone: string;
  entered_at: string;
}

/** An entry in the outbox, with its place and the faults that the server found. */
interface QueuedEntry extends Entry {
  order: number;
  state?: "refused" | "gone";
  faults?: Fault[];
}

/** An entry that the server has, and the version of the match after it. */
type SentEntry = Entry & { stored_as: number };

/** A match as the server sent it, and the entries that it got since. */
interface HeldMatch {
  address: string;
  version: number;
  token: string;
  /** Whether this phone has the token only because of the signed-in account. */
  by_account?: boolean;
  /** Whether only its director changes it. */
  closed?: boolean;
  record: any;
  /** What confirming a result at a table of a competition needs; none for a friendly match. */
  table?: Record<string, unknown> | null;
  /** The seat that this phone has taken, and those of other phones. */
  seats?: { own: number | null, elsewhere: number[] } | null;
  /** The time zone in which times are shown, with its rules. */
  clocks?: { zone: string; rules: string } | null;
  /** How many entries each phone has queued, by its last report. */
  kept?: Record<string, number>;
  at?: number;
  since?: SentEntry[];
}

/** The answer to an entry. */
interface Answer {
  key: string;
  version?: number;
  message?: string;
  faults?: Fault[];
}

/** A page of the scorepad; `held` is the version of the match on the server that a page of the phone is based on. */
interface PadPage {
  url: URL;
  text: string;
  held?: number;
  isGood?: boolean;
}

/** A page of the local server. */
interface LocalAnswer {
  status: number;
  location: string;
  text: string;
  held: number;
}

/** The verdict of the local server on an entry. */
interface Verdict {
  status: number;
  faults: Fault[];
  isBehind: boolean;
}

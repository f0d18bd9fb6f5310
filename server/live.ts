// What the rest of the server knows of realtime/: how to wake it, and how a request becomes a listener.
import type { IncomingHttpHeaders } from 'node:http';
import type { Access } from './catalog/access.ts';
import type { From } from './catalog/audit.sql.ts';

/** Where the text of a lasting answer goes. */
export interface Outlet {
  /** `access`: of the one who hears it, at this moment. */
  write(chunk: string | Buffer, access: Access): void;
  /** Bytes that the other side has not taken yet. */
  backlog(): number;
  /** Ends it after what was written. */
  end(): void;
  /** Cuts it off at once. */
  cut(): void;
  onClose(act: () => void): void;
  onDrain(act: () => void): void;
}

/** Asks again whether the caller still has the access a request was let in with; `run` throws when not. */
export interface Recheck {
  /** The same for requests that the same answer holds for. */
  key(): string;
  run(): Promise<Access>;
}

export interface Listening {
  outlet: Outlet;
  access: Access;
  recheck: Recheck;
  /** A position from before the answer began: everything that was committed since then is heard. */
  since: number;
  /** Where the listener was; undefined when it comes for the first time. */
  lastEventId: number | undefined;
}

export interface TableListening extends Listening {
  values: boolean;
  /** Be seen, and see who else listens. */
  presence: boolean;
  /** Hear of the base as a whole in place of a table. */
  isOfBase?: true;
}

/** The cell somebody is in; null when they have left it. */
export interface CellPosition {
  tableId: string;
  userId: string;
  recordId: string | null;
  fieldId: string | null;
}

/** The ends of a WebSocket. */
export interface SocketEnds {
  send(text: string): void;
  /** Bytes that the other side has not taken yet. */
  backlog(): number;
  close(code: number, reason: string): void;
  /** Cuts it off at once. */
  cut(): void;
  onMessage(act: (text: string) => void): void;
  onClose(act: () => void): void;
}

export interface ApiAnswer {
  status: number;
  body: unknown;
}

/** A connection of a client that speaks ShareDB's protocol. It has been let in: with a credential, or through a share. */
export interface SocketOpening {
  socket: SocketEnds;
  headers: IncomingHttpHeaders;
  from: From;
  shareId: string | null;
  /** Asks the API, as the client itself would. `path` is what follows `/api`. */
  read(path: string): Promise<ApiAnswer>;
}

export interface Live {
  /** After the commit of anything in a base. */
  changed(baseId: string): void;
  /** After the commit of a change to somebody's notifications. */
  inboxChanged(): void;
  /** To be asked before the answer begins; see `since`. */
  tablePosition(baseId: string): Promise<number>;
  inboxPosition(userId: string): Promise<number>;
  showCell(position: CellPosition): void;
  listenToTable(listening: TableListening): void;
  listenToInbox(listening: Listening): void;
  openSocket(opening: SocketOpening): void;
  /** How many streams are open in this process. */
  streams(): number;
}

/** For commands that serve nobody. */
export const silentLive: Live = {
  changed: () => undefined,
  inboxChanged: () => undefined,
  tablePosition: async () => 0,
  inboxPosition: async () => 0,
  showCell: () => undefined,
  listenToTable: ({ outlet }) => outlet.end(),
  listenToInbox: ({ outlet }) => outlet.end(),
  openSocket: ({ socket }) => socket.close(1013, 'The server is stopping'),
  streams: () => 0,
};

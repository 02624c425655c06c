import {
  type ClientDefinition,
  type ClientName,
  clientNames,
  clients,
  forPlatform,
  isClientName,
} from '../../client-entries/clients.ts';
import { entryText, type ServerConnection } from '../../client-entries/entry-text.ts';
import { addressSupport, keyVariable } from '../../client-entries/http-entry.ts';
import { displayPath, type Platform, platforms } from '../../client-entries/paths.ts';
import { npxCommand } from '../../client-entries/program-entry.ts';
import { linkTo, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Copyable } from './copyable.tsx';
import './home.css';

const systems: Record<Platform, string> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };

/** The placeholder for the key in files of clients that cannot read variables. */
const keyPlaceholder = 'YOUR_API_KEY';

/** The connection that the address of this page asks for. */
type ConnectChoice = { client: ClientName; system: Platform; byAddress: boolean; user_id: string };

function readChoice(): ConnectChoice {
  const { client = '', system, connection, user_id = '' } = place.value.params;
  const name = isClientName(client) ? client : 'claude-code';
  return {
    client: name,
    system: platforms.find((one) => one === system) ?? systemOfBrowser(),
    byAddress: connection === 'address' && addressSupport(name).address,
    user_id,
  };
}

/** Guesses the system: browsers say little about it, and the file may be on another machine. */
function systemOfBrowser(): Platform {
  const { userAgent } = navigator;
  if (/Windows/.test(userAgent)) return 'win32';
  return /Mac OS|Macintosh/.test(userAgent) ? 'darwin' : 'linux';
}

/** The entry of each client that `mneme init` knows, and the command that writes it. */
export function Connect() {
  const choice = readChoice();
  const { byHand }: ClientDefinition = clients[choice.client];
  return (
    <section aria-label="Connect a client" class="connect">
      <h2>Connect a client</h2>
      <Choices choice={choice} />
      <p>This command writes the entry into the client's file, and keeps a copy of the file:</p>
      <Copyable text={initCommand(choice)} label="command" />
      <p>Or write it yourself:</p>
      <Entry choice={choice} />
      {byHand !== undefined && !choice.byAddress && <p class="quiet">{withCode(byHand)}</p>}
      <p class="quiet">Then start the client again. It asks mneme by itself from then on.</p>
    </section>
  );
}

function Choices({ choice: { client, system, byAddress, user_id } }: { choice: ConnectChoice }) {
  const { address } = addressSupport(client);
  return (
    <div class="bar">
      <label>
        Client{' '}
        <select
          value={client}
          onChange={(event) => setParams({ client: event.currentTarget.value })}
        >
          {clientNames.map((name) => (
            <option key={name} value={name}>
              {clients[name].title}
            </option>
          ))}
        </select>
      </label>
      <label>
        System{' '}
        <select
          value={system}
          onChange={(event) => setParams({ system: event.currentTarget.value })}
        >
          {platforms.map((name) => (
            <option key={name} value={name}>
              {systems[name]}
            </option>
          ))}
        </select>
      </label>
      <Connections byAddress={byAddress} canHoldAddress={address} />
      {byAddress && (
        <label>
          User{' '}
          <input
            value={user_id}
            placeholder="user_id, such as ada"
            onInput={({ currentTarget: { value } }) =>
              setParams({ user_id: value }, { replace: true })
            }
          />
        </label>
      )}
      {!address && (
        <span class="quiet">{clients[client].title} only starts programs on its own machine.</span>
      )}
    </div>
  );
}

type ConnectionsProps = { byAddress: boolean; canHoldAddress: boolean };

function Connections({ byAddress, canHoldAddress }: ConnectionsProps) {
  return (
    <fieldset class="kinds">
      <legend class="hidden">Connection</legend>
      <button
        type="button"
        aria-pressed={!byAddress}
        onClick={() => setParams({ connection: undefined })}
      >
        On this machine
      </button>
      <button
        type="button"
        aria-pressed={byAddress}
        disabled={!canHoldAddress}
        onClick={() => setParams({ connection: 'address' })}
      >
        This server by address
      </button>
    </fieldset>
  );
}

/** The file and what it has to hold. */
function Entry({ choice }: { choice: ConnectChoice }) {
  const { client, system, byAddress } = choice;
  const { user }: ClientDefinition = clients[client];
  const read = () => entryText(client, connectionOf(choice));
  const { value, problem, reload } = useLoaded(read, JSON.stringify(choice));
  const paths = forPlatform(user.paths, system).map((path) => displayPath(path, system));
  return (
    <>
      {paths.map((path, at) => (
        <div key={path}>
          {at > 0 && <p>or, where it is there already:</p>}
          <Copyable text={path} label="path" />
        </div>
      ))}
      {user.cannotCreate !== undefined && (
        <p class="quiet">Only into a file that is there: {user.cannotCreate}.</p>
      )}
      <Problem problem={problem} reload={reload} />
      {value !== null && <Copyable text={value} label="entry" />}
      <p class="quiet">
        If the file has <code>{user.keys.join('.')}</code> already, add only what is inside it.
      </p>
      {byAddress && <KeyNote client={client} />}
    </>
  );
}

/** Says how to get a key: a page cannot write one into the file. */
function KeyNote({ client }: { client: ClientName }) {
  const keys = <a href={linkTo('settings', 'keys')}>Settings</a>;
  if (addressSupport(client).variable) {
    return (
      <p class="quiet">
        The client reads its key from the variable <code>{keyVariable}</code> where it is started.
        Make one in {keys}.
      </p>
    );
  }
  return (
    <p class="quiet">
      Replace <code>{keyPlaceholder}</code> by a key from {keys}: this client reads no variables.
    </p>
  );
}

function connectionOf({ client, system, byAddress, user_id }: ConnectChoice): ServerConnection {
  if (!byAddress) return { ...npxCommand(system), env: {} };
  const key = addressSupport(client).variable ? null : keyPlaceholder;
  return { url: addressFor(user_id), key };
}

/** The address of MCP on the server of this page. */
function addressFor(user_id: string): string {
  const url = new URL('/mcp', location.origin);
  if (user_id.trim() !== '') url.searchParams.set('user_id', user_id.trim());
  return url.href;
}

function initCommand({ client, byAddress, user_id }: ConnectChoice): string {
  if (!byAddress) return `npx -y mneme init ${client}`;
  const key = addressSupport(client).variable ? '' : ` --api-key ${keyPlaceholder} --with-secrets`;
  return `npx -y mneme init ${client} --url '${addressFor(user_id)}'${key}`;
}

/** The table marks commands as Markdown does. */
function withCode(text: string) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

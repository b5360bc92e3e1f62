import { once } from "node:events";
import { OLD } from "./device";
import { type Answer, BUSINESS, type Exchange, type Fault, passOn } from "./service";

/** The service does not carry out the request. It answers with this status, and repeats what it received. */
export function answers(status: number, headers: Readonly<Record<string, string>> = {}): Fault {
  return ({ response, echo }) =>
    response.writeHead(status, `No ${echo.text}`, { ...echo.headers, ...headers }).end(`not for ${echo.text}, sorry`);
}

/** Another server answers with a page that repeats the request. It carries out nothing. */
export function answersPage(status: number): Fault {
  return ({ response, echo }) =>
    response
      .writeHead(status, { ...echo.headers, "content-type": "text/html" })
      .end(`<html><h1>Sign in to the network</h1><pre>${echo.text}</pre></html>`);
}

/** The service carries out the request, and a changed answer arrives. */
export function answersAfter(change: (answer: Answer, echo: string) => Partial<Answer>): Fault {
  return async ({ response, echo, carryOut }) => {
    const answer = await carryOut();
    const { status, body } = { ...answer, ...change(answer, echo.text) };
    response.writeHead(status, { ...echo.headers, "content-type": "application/json" }).end(body);
  };
}

/** The service carries out the request. Its answer has additional fields. */
export function answersWith(fields: (echo: string) => Readonly<Record<string, unknown>>): Fault {
  return answersAfter(({ body }, echo) => ({ body: JSON.stringify({ ...JSON.parse(body || "{}"), ...fields(echo) }) }));
}

/** A redirect to the same server, or to another one. */
export function redirects(status: number, to: "same" | "other"): Fault {
  return ({ service, request, response, echo }) => {
    const origin = to === "same" ? service.url : service.urlElsewhere;
    const location = `${origin}${request.url}?from=${encodeURIComponent(echo.text)}`;
    response.writeHead(status, { ...echo.headers, location }).end(`<a href="${location}">${echo.text}</a>`);
  };
}

/** The connection is reset before the service reads the request. */
export const resetsBefore: Fault = ({ request }) => request.socket.resetAndDestroy();

/** The connection is reset after the service has applied the first sent setting, or has sent a part of its answer. */
export const resetsDuring: Fault = ({ service, deviceId, request, body }) => {
  const [first] = Object.entries(JSON.parse(body || "{}"));
  if (first) service.simulator.appUserSets(BUSINESS, deviceId, Object.fromEntries([first]));
  request.socket.write("HTTP/1.1 2", () => request.socket.resetAndDestroy());
};

/** The service carries out the request. The connection is then reset. */
export const resetsAfter: Fault = async ({ request, carryOut }) => {
  await carryOut();
  request.socket.resetAndDestroy();
};

/** The request comes back in place of an answer. */
export const sendsBack: Fault = ({ request, echo }) => request.socket.end(`${echo.text}\r\n\r\n`);

/** No answer, and the connection stays open. */
export const staysSilent: Fault = () => {};

/** The service carries out the request, and sends the beginning of its body, then a space from time to time. */
export const answersSlowly: Fault = async ({ response, echo, carryOut }) => {
  const { status, body } = await carryOut();
  response.writeHead(status, echo.headers).write(echo.text + body.slice(0, body.length / 2));
  const dripping = setInterval(() => response.write(" "), 50);
  response.once("close", () => clearInterval(dripping));
};

/** The service carries out the request. The connection ends in the middle of the body. */
export const cutsBody: Fault = (exchange) => sendsLength(exchange, (length) => length * 2, true);

/** The service carries out the request. The header promises more than arrives, and the connection stays open. */
export const promisesTooMuch: Fault = (exchange) => sendsLength(exchange, (length) => length * 2, false);

/** The service carries out the request. More arrives than the header promises. */
export const promisesTooLittle: Fault = (exchange) => sendsLength(exchange, (length) => Math.floor(length / 2), false);

/**
 * The service carries out the request. Its answer has no length, and the connection ends before the object is complete.
 */
export const cutsUnseen: Fault = async ({ request, echo, carryOut }) => {
  const { status, body } = await carryOut();
  const whole = JSON.stringify({ request: echo.text, ...JSON.parse(body || "{}") });
  request.socket.end(`HTTP/1.1 ${status} No ${echo.text}\r\n\r\n${whole.slice(0, -1)}`);
};

async function sendsLength(
  { request, echo, carryOut }: Exchange,
  promised: (length: number) => number,
  ends: boolean,
): Promise<void> {
  const { status, body } = await carryOut();
  const sent = echo.text + body;
  const head = `HTTP/1.1 ${status} No ${echo.text}\r\nContent-Length: ${promised(sent.length)}\r\n\r\n`;
  request.socket.write(head + sent, () => ends && request.socket.destroy());
}

/** The service carries out the request, and answers with 100 MB. */
export const answersHugely: Fault = async ({ service, response, request, echo, carryOut }) => {
  await carryOut();
  const before = request.socket.bytesWritten;
  const chunk = Buffer.alloc(64 * 1024, echo.text);
  const closed = once(response, "close");
  response.writeHead(200, echo.headers);
  for (let sent = 0; sent < 100 * 1024 * 1024 && !response.destroyed; sent += chunk.length) {
    if (!response.write(chunk)) await Promise.race([once(response, "drain"), closed]);
  }
  response.end();
  service.largestAnswer = Math.max(service.largestAnswer, request.socket.bytesWritten - before);
};

/** Each request meets the next of these faults; after the last one, the first again. */
export function alternately(...faults: [Fault, ...Fault[]]): Fault {
  return (exchange) => faults[(exchange.count - 1) % faults.length]?.(exchange);
}

/** The cached read shows the values from before the first update. */
export const showsPast: Fault = answersWith((request) => ({ ...OLD, request }));

/**
 * Before the service carries out the request, somebody else changes one setting that we manage, and one that we do not.
 */
export const meetsWriter: Fault = async (exchange) => {
  const settings = { max_capacity: 70_000, policy: "CHARGE BY FORECAST" };
  exchange.service.simulator.appUserSets(BUSINESS, exchange.deviceId, settings);
  await passOn(exchange);
};

"""Converts 100 tAUD to tUSD over plain HTTP, with only the standard library."""

import json
import os
import time
import urllib.error
import urllib.request

AGIO_URL = os.environ.get("AGIO_URL", "http://127.0.0.1:3000")
API_KEY = os.environ.get("AGIO_API_KEY", "local-key")
RPC_URL = os.environ.get("RPC_URL", "http://127.0.0.1:8545")
CHAIN_ID = 84532
ACCOUNT = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"


class AgioError(Exception):
    """An error of the service. `code` says what happened, `action` says what to do next. See /docs/errors."""

    def __init__(self, body):
        super().__init__(body["error"])
        self.code = body["code"]
        self.retryable = body["retryable"]
        self.action = body["action"]
        self.body = body


def request(url, body=None, headers=None):
    """Sends a POST with JSON, or a GET without a body. Returns the JSON of the response."""
    data = None if body is None else json.dumps(body).encode()
    call = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(call, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return json.load(error)


def agio(operation, body=None):
    """Calls an operation of the service and returns its data."""
    response = request(f"{AGIO_URL}/api/v1/{operation}", body, {"X-API-Key": API_KEY})
    if not response["success"]:
        raise AgioError(response)
    return response["data"]


def send(transaction):
    """Sends a transaction from an account that the local node holds, and waits until it is mined.

    Production nodes hold no accounts. Sign the transaction with a library and your own key instead.
    """
    response = request(RPC_URL, {"jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": [transaction]})
    if "error" in response:
        raise RuntimeError(response["error"]["message"])
    return wait(response["result"])


def wait(transaction_hash):
    """Waits until a transaction is mined and returns its hash."""
    while True:
        try:
            status = agio("transaction/status", {"chainId": CHAIN_ID, "transactionHash": transaction_hash})
        except AgioError as error:
            # The node of the service may see the transaction a moment later than the node that received it.
            if error.code != "svc/transaction-not-found":
                raise
            status = {"status": "pending"}
        if status["status"] == "failed":
            raise RuntimeError(status.get("failure", {}).get("message", "The transaction reverted"))
        if status["status"] == "success":
            return transaction_hash
        time.sleep(0.5)


def claim_tokens():
    """Claims test tokens, unless the account has already claimed them."""
    try:
        claim = agio("faucet/build/claim-all", {"chainId": CHAIN_ID, "userAddress": ACCOUNT})
    except AgioError as error:
        if error.code != "svc/faucet-cooldown":
            raise
        return
    send({"from": ACCOUNT, "to": claim["to"], "data": claim["data"]})


def approve(quote):
    """Sends the approvals that a quote needs: none, one, or one after a reset."""
    plan = agio("approval/plan", {"quote": quote["quote"], "ownerAddress": ACCOUNT, "prefer": "approve"})
    for step in plan["steps"]:
        print(step["kind"], "-", step["reason"])
        send(step["walletTransaction"])


def main():
    claim_tokens()
    chains = agio("chains")["chains"]
    tokens = next(chain["tokens"] for chain in chains if chain["chainId"] == CHAIN_ID)
    address_of = {token["symbol"]: token["address"] for token in tokens}

    quote = agio(
        "convert/quote",
        {"chainId": CHAIN_ID, "tokenIn": address_of["tAUD"], "tokenOut": address_of["tUSD"], "amountIn": "100"},
    )
    print("quoted", quote["amountOut"], "tUSD, at least", quote["minAmountOut"])
    approve(quote)

    built = agio("transaction/build/convert", {"quote": quote["quote"], "userAddress": ACCOUNT})
    for issue in built["issues"]:
        raise RuntimeError(issue["message"])
    transaction_hash = send(built["transaction"])

    receipt = agio("convert/receipt", {"transactionHash": transaction_hash, "quote": quote["quote"]})
    print("paid", receipt["amountIn"], "tAUD, received", receipt["amountOut"], "tUSD")


if __name__ == "__main__":
    main()

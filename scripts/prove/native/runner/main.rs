//! Runs transactions on the lending program, compiled for this machine, in Agave's bank. Each line of the standard input is a transaction
//! with all that it reads; each line on file descriptor 3 says what it came to. The program itself logs to the standard output.

#[cfg(feature = "layout")]
mod layout;

use base64::prelude::{Engine, BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use solana_program_test::{processor, ProgramTest, ProgramTestContext};
use solana_sdk::{
    account::{Account, AccountSharedData},
    account_info::AccountInfo,
    clock::Clock,
    entrypoint::ProgramResult,
    instruction::{AccountMeta, Instruction},
    message::{Message, VersionedMessage},
    pubkey::Pubkey,
    signature::Signature,
    transaction::VersionedTransaction,
};
use std::{
    error::Error,
    fs::File,
    io::{stdin, BufRead, BufWriter, Write},
    mem::transmute,
    os::fd::FromRawFd,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Transaction {
    slot: u64,
    unix_timestamp: i64,
    epoch: u64,
    /// Missing accounts are absent, programs too.
    accounts: Vec<State>,
    /// All addresses whose state may have been changed.
    writable: Vec<String>,
    instructions: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Call {
    program: String,
    accounts: Vec<Meta>,
    data: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    address: String,
    is_signer: bool,
    is_writable: bool,
}

#[derive(Deserialize, Serialize)]
struct State {
    address: String,
    lamports: u64,
    owner: String,
    /// Base64.
    data: String,
}

#[derive(Serialize)]
struct Outcome {
    /// As nodes report it; null for success.
    error: serde_json::Value,
    logs: Vec<String>,
    /// Those of `writable` that exist; of a failure, none.
    accounts: Vec<State>,
}

/// The bank hands out references that live as long as the call, and the program's entry takes one lifetime for all of them.
fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    unsafe { marginfi::entry(transmute(id), transmute(accounts), transmute(data)) }
}

fn address(text: &str) -> Result<Pubkey, Box<dyn Error>> {
    Ok(text.parse()?)
}

fn call(call: Call) -> Result<Instruction, Box<dyn Error>> {
    let meta = |meta: Meta| -> Result<AccountMeta, Box<dyn Error>> {
        Ok(AccountMeta {
            pubkey: address(&meta.address)?,
            is_signer: meta.is_signer,
            is_writable: meta.is_writable,
        })
    };
    Ok(Instruction {
        program_id: address(&call.program)?,
        accounts: call.accounts.into_iter().map(meta).collect::<Result<_, _>>()?,
        data: BASE64_STANDARD.decode(call.data)?,
    })
}

async fn run(bank: &mut ProgramTestContext, transaction: Transaction) -> Result<Outcome, Box<dyn Error>> {
    bank.set_sysvar(&Clock {
        slot: transaction.slot,
        unix_timestamp: transaction.unix_timestamp,
        epoch: transaction.epoch,
        ..Clock::default()
    });
    let instructions: Vec<Instruction> = transaction.instructions.into_iter().map(call).collect::<Result<_, _>>()?;
    // An account that does not exist on the one side may be left over from an earlier transaction on the other.
    for meta in instructions.iter().flat_map(|instruction| &instruction.accounts) {
        let old = bank.banks_client.get_account(meta.pubkey).await?;
        if old.is_some_and(|old| !old.executable && !is_sysvar(&old.owner)) {
            bank.set_account(&meta.pubkey, &AccountSharedData::default());
        }
    }
    for state in transaction.accounts {
        let account = Account {
            lamports: state.lamports,
            owner: address(&state.owner)?,
            data: BASE64_STANDARD.decode(state.data)?,
            executable: false,
            rent_epoch: u64::MAX,
        };
        bank.set_account(&address(&state.address)?, &account.into());
    }
    // A wallet of its own pays the fee of each, so that no two transactions are the same one.
    let payer = Pubkey::new_unique();
    bank.set_account(&payer, &Account::new(1_000_000_000_000, 0, &Pubkey::default()).into());
    let blockhash = bank.banks_client.get_latest_blockhash().await?;
    let message = Message::new_with_blockhash(&instructions, Some(&payer), &blockhash);
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(payer.as_ref());
    let unsigned = VersionedTransaction {
        signatures: vec![Signature::from(signature); message.header.num_required_signatures.into()],
        message: VersionedMessage::Legacy(message),
    };
    let answer = bank.banks_client.process_transaction_with_metadata(unsigned).await?;
    let mut accounts = vec![];
    if answer.result.is_ok() {
        for name in transaction.writable {
            if let Some(account) = bank.banks_client.get_account(address(&name)?).await? {
                accounts.push(State {
                    address: name,
                    lamports: account.lamports,
                    owner: account.owner.to_string(),
                    data: BASE64_STANDARD.encode(&account.data),
                });
            }
        }
    }
    Ok(Outcome {
        error: serde_json::to_value(answer.result.err())?,
        logs: answer.metadata.map_or_else(Vec::new, |metadata| metadata.log_messages),
        accounts,
    })
}

fn is_sysvar(owner: &Pubkey) -> bool {
    *owner == solana_sdk::sysvar::ID
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    #[cfg(feature = "layout")]
    if std::env::args().nth(1).as_deref() == Some("layout") {
        println!("{}", layout::layout());
        return Ok(());
    }
    // `ProgramTest` sets up logging, unless that was done before.
    std::env::set_var("RUST_LOG", "off");
    std::panic::set_hook(Box::new(|_| {}));
    let mut chain = ProgramTest::default();
    chain.prefer_bpf(false);
    chain.add_program("marginfi", marginfi::ID, processor!(process));
    let mut bank = chain.start_with_context().await;
    let mut answers = BufWriter::new(unsafe { File::from_raw_fd(3) });
    for line in stdin().lock().lines() {
        let outcome = run(&mut bank, serde_json::from_str(&line?)?).await?;
        serde_json::to_writer(&mut answers, &outcome)?;
        answers.write_all(b"\n")?;
        answers.flush()?;
    }
    Ok(())
}

// Reacher's library, check-if-email-exists, as its users run it: check_email() per address, as many at once as told. Yahoo
// and consumer Outlook are asked by SMTP, like all others: by default Reacher drives a browser through their
// password-recovery pages, and there are none here. Reads one JSON object from standard input, writes one to standard
// output. Names and hosts are the simulated world's: the benchmark runs this where /etc/resolv.conf names it and its
// hosts answer on port 25.
use check_if_email_exists::smtp::verif_method::{
    EverythingElseVerifMethod, GmailVerifMethod, HotmailB2BVerifMethod, HotmailB2CVerifMethod,
    MimecastVerifMethod, ProofpointVerifMethod, VerifMethod, VerifMethodSmtpConfig,
    YahooVerifMethod,
};
use check_if_email_exists::{check_email, CheckEmailInputBuilder, CheckEmailOutput, Reachable};
use serde_json::{json, Value};
use std::fs::read_to_string;
use std::io::{stdin, stdout};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Instant;

#[tokio::main]
async fn main() {
    let order: Value = serde_json::from_reader(stdin()).expect("one JSON object on standard input");
    let emails: Arc<Vec<String>> = Arc::new(
        order["emails"]
            .as_array()
            .expect("emails")
            .iter()
            .map(|email| email.as_str().expect("a string").to_string())
            .collect(),
    );
    let concurrency = order["concurrency"].as_u64().expect("concurrency");
    let next = Arc::new(AtomicUsize::new(0));
    let start = Instant::now();
    let workers: Vec<_> = (0..concurrency)
        .map(|_| tokio::spawn(ask(emails.clone(), next.clone())))
        .collect();
    let mut answers = vec![Value::Null; emails.len()];
    let mut said = vec![Value::Null; emails.len()];
    for worker in workers {
        for (i, output) in worker.await.expect("a worker panicked") {
            answers[i] = json!(answer(&output));
            said[i] = json!(words(&output));
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let report = json!({ "seconds": seconds, "cpuSeconds": cpu_seconds(), "answers": answers, "said": said });
    serde_json::to_writer(stdout(), &report).expect("standard output");
}

async fn ask(emails: Arc<Vec<String>>, next: Arc<AtomicUsize>) -> Vec<(usize, CheckEmailOutput)> {
    let mut outputs = Vec::new();
    loop {
        let i = next.fetch_add(1, Ordering::Relaxed);
        let Some(email) = emails.get(i) else {
            return outputs;
        };
        let input = CheckEmailInputBuilder::default()
            .to_email(email.clone())
            .verif_method(by_smtp())
            .build()
            .expect("input");
        outputs.push((i, check_email(&input).await));
    }
}

fn by_smtp() -> VerifMethod {
    let config = VerifMethodSmtpConfig {
        from_email: "bench@bench.example".into(),
        hello_name: "bench.example".into(),
        ..Default::default()
    };
    VerifMethod {
        gmail: GmailVerifMethod::Smtp(config.clone()),
        hotmailb2b: HotmailB2BVerifMethod::Smtp(config.clone()),
        hotmailb2c: HotmailB2CVerifMethod::Smtp(config.clone()),
        mimecast: MimecastVerifMethod::Smtp(config.clone()),
        proofpoint: ProofpointVerifMethod::Smtp(config.clone()),
        yahoo: YahooVerifMethod::Smtp(config.clone()),
        everything_else: EverythingElseVerifMethod::Smtp(config),
        ..Default::default()
    }
}

fn answer(output: &CheckEmailOutput) -> &'static str {
    match (&output.is_reachable, &output.smtp) {
        (_, Ok(smtp)) if smtp.is_catch_all => "catch_all",
        (Reachable::Safe, _) => "yes",
        (Reachable::Invalid, _) => "no",
        _ => "lost",
    }
}

/// Its own words: the verdict, and the kind of refusal where it names one.
fn words(output: &CheckEmailOutput) -> String {
    let reachable = serde_json::to_value(&output.is_reachable).expect("a word");
    let reachable = reachable.as_str().expect("a word");
    match &output.smtp {
        Ok(smtp) if smtp.has_full_inbox => format!("is_reachable: {reachable}, has_full_inbox"),
        Ok(smtp) if smtp.is_disabled => format!("is_reachable: {reachable}, is_disabled"),
        Ok(_) => format!("is_reachable: {reachable}"),
        Err(error) => match error.get_description() {
            Some(description) => format!("is_reachable: {reachable}, {description:?}"),
            None => format!("is_reachable: {reachable}, error"),
        },
    }
}

/// User and system time of all threads, in ticks of 10 ms: fields 14 and 15 of proc(5)'s stat.
fn cpu_seconds() -> f64 {
    let stat = read_to_string("/proc/self/stat").expect("proc");
    let after_name = stat.rsplit(')').next().expect("a name");
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks
        .map(|field| field.parse::<f64>().expect("ticks"))
        .sum::<f64>()
        / 100.0
}

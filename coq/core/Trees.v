(** * Proofs, and the trees that prove their premises

    A tree says how facts about rows of a branch are contradictory: nodes give names to rows, or add what is true of all rows, and
    leaves are refutation trees without rows. A proof has a rule, trees for its premises, and proofs of its subgoals. *)
From Tallystick.core Require Export Ground Kernel Totals Single Polynomials Places.

Inductive tree :=
  | Leaf (integral : bool) (t : Refutation.tree)
  | Open (b : bag) (absent : tree) (branches : list tree)
  | Use (b : bag) (monomial : nat) (places : list nat) (rest : tree)
  | KeyOf (constraint first second : nat) (rest : tree)
  | Refers (constraint row : nat) (nowhere : tree) (there : tree)
  | Checked (constraint row : nat) (rest : tree)
  | Member (row : nat) (branches : list tree)
  | Made (b : bag) (monomial : nat) (places : list nat) (otherwise rest : tree)
  | Extreme (f : Core.function) (b : bag) (none : tree) (branches : list tree)
  | Bound (f : Core.function) (b : bag) (monomial : nat) (places : list nat) (rest : tree)
  | Signed (b : bag) (branches : list tree) (rest : tree)
  | Weighs (b : bag) (monomial : nat) (places : list nat) (branches : list tree) (rest : tree)
  | Nothing (b : bag) (rest : tree)
  | Only (hypotheses : list nat) (b : bag) (places : list nat) (unique rest : tree)
  | NoRow (b : bag) (rest : tree)
  | Totalled (f : Core.function) (b : bag) (rest : tree)
  | Alone (f : Core.function) (c : term) (h : terms) (rest : tree)
  | Replaced (s s' t : term) (rest : tree)
  | Moved (i j : nat) (t : term) (rest : tree)
  | AllCells (i j : nat) (rest : tree)
  | Divided (a b : term) (rest : tree)
  | Expanded (t u : term) (rest : tree)
  | Among (row : nat) (branches : list tree)
  | Listed (p : place) (b : bag) (monomial : nat) (places : list nat) (otherwise rest : tree)
  | Counted (row : nat) (rest : tree)
  | First_place (p : place) (b : bag) (rest : tree)
  | Before (first second : nat) (rest : tree)
  | Equation (hypotheses : list nat) (s t : term) (p : proof) (rest : tree)
with proof := By (r : rule) (trees : list tree) (parts : list proof).

(** The facts that a formula, or its negation, is made of. *)
Fixpoint flatten (p : bool) (t : term) : list term := match t with
  | Apply And ts => if p then flattens p ts else [neg t]
  | Apply Or ts => if p then [t] else flattens p ts
  | Apply Not (Tc a Tn) => flatten (negb p) a
  | Apply (Lit (Truth b)) Tn => if Bool.eqb p b then [] else [no]
  | Apply (Scalar SBoth) (Tc a (Tc b Tn)) => if p then flatten p a ++ flatten p b else [neg t]
  | _ => [if p then t else neg t] end
with flattens (p : bool) (ts : terms) : list term := match ts with Tn => [] | Tc t ts => flatten p t ++ flattens p ts end.

Fixpoint all2 {A B} (f : A -> B -> bool) (l : list A) (k : list B) : bool := match l, k with
  | [], [] => true | x :: l, y :: k => f x y && all2 f l k | _, _ => false end.
Lemma all2_in {A B} (f : A -> B -> bool) l : forall k x, all2 f l k = true -> In x l -> exists y, f x y = true.
Proof. induction l as [|a l IH]; intros [|b k] x; cbn; try discriminate; [intros _ []|]. rewrite andb_true_iff. intros [H H'] [<-|I]; eauto. Qed.

Definition keys_of (cs : list constraint) (t : string) : list (list nat) :=
  flat_map (fun c => match c with Key t' k => if String.eqb t' t then [k] else [] | _ => [] end) cs.
Definition is_table (rows : list source) (i : nat) (t : string) : bool := match source_at rows i with Some (Table u) => String.eqb u t | _ => false end.
Definition key_fact (ks : list nat) (i j : nat) : term := implies (conj2 (terms_all (equal_cells ks ks i j)) (terms_all (known_cells ks i))) (Alike i j).
Definition replaced_fact (s s' t : term) : term := implies (ap2 IsSame s s') (ap2 IsSame t (rwt s s' t)).
Definition moved (i j : nat) : nat -> nat := fun k => if Nat.eqb k i then j else k.
Definition moved_fact (i j : nat) (t : term) : term := implies (Alike i j) (ap2 IsSame t (rt (moved i j) t)).
(** What the sum, the least and the greatest of one value at most are. *)
Definition alone_fact (f : Core.function) (c : term) (h : terms) : term := ap2 IsSame (Summary (Of f) (Bc (Give c h) Bn)) (ap3 Ite c (first h) (Apply (Lit Null) Tn)).
(** How many columns the rows of a source have, where the source says it. *)
Definition mono_width (m : mono) : nat := List.length (terms_list (snd (snd (ends_of m)))).
Definition source_width (s : schema) (u : source) : option nat := match u with
  | Table t => if okq s (Scan t) then Some (Compile.columns_of s t) else None
  | Support b => match Nodes.monos b with m :: l => if forallb (fun n => Nat.eqb (mono_width n) (mono_width m)) l then Some (mono_width m) else None | [] => None end
  | Block _ _ => None end.
Definition cells_fact (n i j : nat) : term := implies (terms_all (equal_cells (seq 0 n) (seq 0 n) i j)) (Alike i j).
Definition used_fact (b : bag) (c : term) : term := disj2 (Ex b) (neg c).
Definition bound_fact (f : Core.function) (b : bag) (c h : term) : term := let v := Summary (Of f) b in
  implies (conj2 c (ap1 Known h)) (conj2 (ap1 Known v) (neg (match f with Greatest => lesser v h | _ => lesser h v end))).
(** A quotient is known just where both numbers are and the second is not 0, and times that it is the first. *)
Definition divided_fact (a b : term) : term := let q := Apply (Scalar (SQuotient Exact)) (Tc a (Tc b Tn)) in
  disj2 (conj2 (ap1 Known q) (conj2 (ap1 Known a) (conj2 (ap1 Known b) (conj2 (neg (ap2 IsSame b zero)) (ap2 IsSame (Apply (Scalar STimes) (Tc b (Tc q Tn))) a)))))
        (conj2 (neg (ap1 Known q)) (disj2 (neg (ap1 Known a)) (disj2 (neg (ap1 Known b)) (ap2 IsSame b zero)))).

(** The conjunction of some facts of a branch. *)
Definition chosen_facts (hs : list nat) (facts : list term) : term := Apply And (fold_right Tc Tn (map (fun i => nth i facts yes) hs)).

Section Check.
  Variables (fuel : nat) (s : schema) (cs : list constraint).
  (** What a check says of a row, which is slot 0. *)
  Definition check_fact (t : string) (e : expression) : term := neg (un SNegated (ce s [Compile.cells (Compile.columns_of s t)] e)).
  Fixpoint closes (n : nat) (rows : list source) (facts : list term) (t : tree) {struct n} : bool := match n with O => false | S n =>
    let among (facts : list term) (m : mono) (more : list term) (t : tree) : bool := let ss := fst (ends_of m) in
      closes n (rows ++ ss) (flatten true (condition_of m) ++ more ++ extended (List.length ss) facts) t in
    let under := among facts in
    let instance (b : bag) (m : nat) (places : list nat) (go : mono -> (nat -> nat) -> bool) : bool := match nth_error (Nodes.monos b) m with
      | Some m => match Nodes.placed rows (fun j => j) (fst (ends_of m)) places with Some x => go m x | None => false end | None => false end in
    match t with
    | Leaf integral t => grounded fuel s rows facts integral t
    | Open b absent branches => closes n rows (neg (Ex b) :: facts) absent && all2 (fun m => among (Ex b :: facts) m []) (Nodes.monos b) branches
    | Use b m places rest => instance b m places (fun m x => closes n rows (used_fact b (rt x (condition_of m)) :: facts) rest)
    | KeyOf k i j rest => match nth_error cs k with
        | Some (Key t ks) => is_table rows i t && is_table rows j t && closes n rows (key_fact ks i j :: facts) rest | _ => false end
    | Refers k i nowhere there => match nth_error cs k with
        | Some (ForeignKey t ks u ls) => is_table rows i t && Nat.eqb (List.length ks) (List.length ls) && closes n rows (neg (terms_all (known_cells ks i)) :: facts) nowhere &&
            closes n (rows ++ [Table u]) (terms_all (equal_cells ks ls (S i) 0) :: extended 1 facts) there
        | _ => false end
    | Checked k i rest => match nth_error cs k with
        | Some (Check t e) => is_table rows i t && okq s (Scan t) && ok s e && closes n rows (rt (put i (fun j => j)) (check_fact t e) :: facts) rest | _ => false end
    | Member i branches => match source_at rows i with
        | Some (Support b) => all2 (fun m => under m (cells_are (List.length (fst (ends_of m)) + i) 0 (snd (snd (ends_of m))))) (Nodes.monos b) branches | _ => false end
    | Made b m places otherwise rest => instance b m places (fun m x => let c := rt x (condition_of m) in closes n rows (neg c :: facts) otherwise &&
        closes n (rows ++ [Support b]) (cells_are 0 0 (shifts 1 (rts x (snd (snd (ends_of m))))) ++ extended 1 (c :: facts)) rest)
    | Extreme f b none branches => let v := Summary (Of f) b in is_extremum f && closes n rows (neg (ap1 Known v) :: facts) none &&
        all2 (fun m => under m [ap2 IsSame (shift (List.length (fst (ends_of m))) v) (head_of m)]) (Nodes.monos b) branches
    | Bound f b m places rest => is_extremum f && instance b m places (fun m x => closes n rows (bound_fact f b (rt x (condition_of m)) (rt x (head_of m)) :: facts) rest)
    | Signed b branches rest => all2 (fun m => under m [lesser (head_of m) zero]) (Nodes.monos b) branches && closes n rows (neg (lesser (Total b) zero) :: facts) rest
    | Weighs b m places branches rest => all2 (fun m => under m [lesser (head_of m) zero]) (Nodes.monos b) branches &&
        instance b m places (fun m x => closes n rows (implies (rt x (condition_of m)) (neg (lesser (Total b) (weight_of (rt x (head_of m))))) :: facts) rest)
    | Nothing b rest => closes n rows (disj2 (Ex b) (ap2 IsSame (Total b) zero) :: facts) rest
    | Only hs b places t rest => match b with
        | Bc m Bn => let '(ys, (chi, h)) := ends_of m in
            let p := unique (keys_of cs) place_key rows [] ys (chosen_facts hs facts) chi in
            match Nodes.placed rows (fun j => j) ys places with
            | Some x => closes n (fst p) (flatten false (snd p)) t && closes n rows (implies (rt x chi) (ap2 IsSame (Summary Single b) (rt x (first h))) :: facts) rest
            | None => false end
        | _ => false end
    | NoRow b rest => closes n rows (disj2 (Ex b) (ap2 IsSame (Summary Single b) (Apply (Lit Null) Tn)) :: facts) rest
    | Totalled f b rest => let v := Summary (Of f) b in
        match f with Count => true | Sum => numeric_sort (sort_of (kt s (row_kinds s [] rows) v)) | _ => false end &&
        closes n rows (ap2 IsSame v (total_of f b) :: facts) rest
    | Alone f c h rest => match f with Sum | Least | Greatest => closes n rows (alone_fact f c h :: facts) rest | _ => false end
    | Replaced a b t rest => closes n rows (replaced_fact a b t :: facts) rest
    | Moved i j t rest => closes n rows (moved_fact i j t :: facts) rest
    | AllCells i j rest => match source_at rows i, source_at rows j with
        | Some u, Some v => match source_width s u, source_width s v with
            | Some a, Some b => Nat.eqb a b && closes n rows (cells_fact a i j :: facts) rest | _, _ => false end
        | _, _ => false end
    | Divided a b rest => let numeric t := numeric_sort (sort_of (kt s (row_kinds s [] rows) t)) in
        numeric a && numeric b && closes n rows (divided_fact a b :: facts) rest
    | Expanded a b rest => same_polynomial a b && closes n rows (ap2 IsSame a b :: facts) rest
    | Among i branches => match source_at rows i with
        | Some (Block (Places _ parts order) b) => match own_width parts (List.length order) b with
            | Some own => all2 (fun m => let k := List.length (fst (ends_of m)) in under m (cells_equal (k + i) (firstn own (heads_of m)))) (Nodes.monos b) branches
            | None => false end
        | _ => false end
    | Listed p b m places otherwise rest => match p with Opaque _ => false | Places _ parts order => match own_width parts (List.length order) b with None => false | Some own =>
        instance b m places (fun m x => let c := rt x (condition_of m) in closes n rows (neg c :: facts) otherwise &&
          closes n (rows ++ [Block p b]) (cells_equal 0 (map (fun t => shift 1 (rt x t)) (firstn own (heads_of m))) ++ extended 1 (c :: facts)) rest) end end
    | Counted i rest => match source_at rows i with
        | Some (Block (Places _ parts order) b) => match own_width parts (List.length order) b with Some own => closes n rows (place_fact i own :: facts) rest | None => false end
        | _ => false end
    | First_place p b rest => match p with Opaque _ => false | Places _ parts order => match own_width parts (List.length order) b with None => false | Some own =>
        closes n rows (first_fact p b own :: facts) rest end end
    | Before i j rest => match source_at rows i, source_at rows j with
        | Some (Block (Places _ parts order) b as u), Some v => eqs u v && match own_width parts (List.length order) b with None => false | Some own =>
            match own_columns b own (seq own parts), own_columns b own (seq (own + parts) (List.length order)) with
            | Some pcs, Some ocs => closes n rows (before_fact order own pcs ocs i j :: facts) rest | _, _ => false end end
        | _, _ => false end
    | Equation hs a b p rest => proves n {| Kernel.rows := rows; given := chosen_facts hs facts; of := Kernel.Values a b |} p &&
        closes n rows (ap2 IsSame a b :: facts) rest
    end end
  with proves (n : nat) (g : goal) (p : proof) {struct n} : bool := match n with O => false | S n =>
    match p with By r trees parts => match requirements (keys_of cs) place_key g r with
      | Some (ps, gs) => all2 (fun p t => closes n (fst p) (flatten false (snd p)) t) ps trees && all2 (proves n) gs parts
      | None => false end end end.

  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Hypothesis L : lawful w.
  Hypothesis C : conforms s w.
  Hypothesis HOLD : Forall (satisfies w) cs.
  Hypothesis BL : forall tag parts order l, blocks (Places tag parts order) l = numbered parts order (ties w tag l).
  Hypothesis blocks_same : forall n l k, Permutation l k -> Permutation (blocks n l) (blocks n k).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation choices := (choices w blocks named).
  Notation refuted := (refuted w blocks named base).
  Notation holds := (Kernel.holds w blocks named base).
  Lemma keys_hold t k : In k (keys_of cs t) -> satisfies w (Key t k).
  Proof.
    intros K. unfold keys_of in K. apply in_flat_map in K as (c & I & K). destruct c as [t' k'| |]; try destruct K. destruct (String.eqb_spec t' t); [|destruct K].
    destruct K as [<-|[]]. subst. exact (proj1 (Forall_forall _ _) HOLD _ I).
  Qed.
  Lemma flatten_ok e : (forall t p, Forall (fun f => is_true (mt e f) = true) (flatten p t) <-> is_true (mt e t) = p) /\
    (forall ts p, Forall (fun f => is_true (mt e f) = true) (flattens p ts) <-> Forall (fun v => is_true v = p) (mts e ts)) /\ (bag -> True) /\ (mono -> True) /\ (source -> True).
  Proof.
    assert (ONE : forall (p : bool) t, Forall (fun f => is_true (mt e f) = true) [if p then t else neg t] <-> is_true (mt e t) = p).
    { intros p t. split; intros H.
      - apply Forall_inv in H. destruct p; auto. change (negb (is_true (mt e t)) = true) in H. now apply negb_true_iff.
      - constructor; [|constructor]. destruct p; auto. change (negb (is_true (mt e t)) = true). now rewrite H. }
    apply all_i; auto.
    - intros i c p. apply ONE.
    - intros i j p. apply ONE.
    - intros o ts IH p. destruct o as [v| | | | | | | | | |sc|n]; try apply ONE.
      + destruct v; try apply ONE. destruct ts; try apply ONE. cbn [flatten]. change (is_true (mt e (Apply (Lit (Truth b)) Tn))) with b. destruct p, b; cbn [Bool.eqb]; split; intros H; auto; try discriminate; inversion H; discriminate.
      + cbn [flatten]. destruct p; [|apply (ONE false)]. rewrite IH. change (is_true (mt e (Apply And ts))) with (forallb is_true (mts e ts)). rewrite forallb_forall, Forall_forall. reflexivity.
      + cbn [flatten]. destruct p; [apply (ONE true)|]. rewrite IH. change (is_true (mt e (Apply Or ts))) with (existsb is_true (mts e ts)). rewrite Forall_forall. split.
        * intros H. apply not_true_is_false. intros X. apply existsb_exists in X as (v & V & T). rewrite (H v V) in T. discriminate.
        * intros H v V. apply not_true_is_false. intros T. assert (existsb is_true (mts e ts) = true) by (apply existsb_exists; eauto). congruence.
      + destruct ts as [|a [|]]; try apply ONE. cbn [flatten]. specialize (IH (negb p)). cbn [flattens] in IH. rewrite app_nil_r in IH. rewrite IH. change (mts e (Tc a Tn)) with [mt e a].
        change (is_true (mt e (Apply Not (Tc a Tn)))) with (negb (is_true (mt e a))). split; intros H; [apply Forall_inv in H|constructor; [|constructor]]; destruct (is_true (mt e a)), p; cbn [negb] in *; congruence.
      + destruct sc; try apply ONE. destruct ts as [|a [|b [|]]]; try apply ONE. cbn [flatten]. destruct p; [|apply (ONE false)]. specialize (IH true). cbn [flattens] in IH. rewrite app_nil_r in IH. rewrite IH.
        change (mts e (Tc a (Tc b Tn))) with [mt e a; mt e b]. change (mt e (Apply (Scalar SBoth) (Tc a (Tc b Tn)))) with (both (mt e a) (mt e b)). split; intros H.
        * apply Forall_cons_iff in H as [H1 H]. apply Forall_inv in H. destruct (mt e a) as [| |[]| |], (mt e b) as [| |[]| |]; cbn in *; congruence.
        * destruct (mt e a) as [| |[]| |], (mt e b) as [| |[]| |]; cbn in H; try discriminate; repeat constructor.
    - intros b _ p. apply ONE.
    - intros b _ p. apply ONE.
    - intros f b _ p. apply ONE.
    - intros p. cbn. split; constructor.
    - intros t IHt ts IHts p. cbn [flattens]. rewrite Forall_app, IHt, IHts. change (mts e (Tc t ts)) with (mt e t :: mts e ts). now rewrite Forall_cons_iff.
  Qed.
  Lemma flattened_facts rows p t facts : refuted rows (flatten p t ++ facts) -> refuted rows ((if p then t else neg t) :: facts).
  Proof.
    intros R e E F. apply (R e E). apply Forall_cons_iff in F as [F1 F2]. apply Forall_app. split; auto. apply flatten_ok. destruct p; auto.
    change (negb (is_true (mt e t)) = true) in F1. now apply negb_true_iff.
  Qed.
  (** A fact that is true of all rows may be added. *)
  Lemma added rows facts f : (forall e, In e (choices base rows) -> Forall (fun f => is_true (mt e f) = true) facts -> is_true (mt e f) = true) -> refuted rows (f :: facts) -> refuted rows facts.
  Proof. intros T R e E F. apply (R e E). constructor; auto. Qed.
  Lemma is_table_ok rows i t : is_table rows i t = true -> source_at rows i = Some (Table t).
  Proof. unfold is_table. destruct (source_at rows i) as [[u| |]|]; try discriminate. intros E. apply String.eqb_eq in E. now subst. Qed.
  Lemma is_same e a b : is_true (mt e (ap2 IsSame a b)) = true <-> mt e a = mt e b.
  Proof. change (is_true (mt e (ap2 IsSame a b))) with (same (mt e a) (mt e b)). unfold same. destruct (value_eq_dec (mt e a) (mt e b)) as [X|X]; split; intros H; try exact X; try reflexivity; try discriminate H. now destruct X. Qed.
  Lemma all_facts e facts : is_true (mt e (Apply And (fold_right Tc Tn facts))) = true <-> Forall (fun f => is_true (mt e f) = true) facts.
  Proof.
    change (is_true (mt e (Apply And ?ts))) with (forallb is_true (mts e ts)). induction facts as [|f facts IH]; cbn [fold_right]; [split; [constructor|reflexivity]|].
    change (mts e (Tc ?a ?b)) with (mt e a :: mts e b). cbn [forallb]. rewrite andb_true_iff, IH, Forall_cons_iff. tauto.
  Qed.
  Lemma chosen_true e hs facts : Forall (fun f => is_true (mt e f) = true) facts -> is_true (mt e (chosen_facts hs facts)) = true.
  Proof.
    intros F. apply all_facts. apply Forall_forall. intros f I. apply in_map_iff in I as (i & <- & _).
    destruct (nth_in_or_default i facts yes) as [X| ->]; [exact (proj1 (Forall_forall _ _) F _ X)|reflexivity].
  Qed.
  Lemma check_true t e r a : In (Check t e) cs -> okq s (Scan t) = true -> ok s e = true -> In r (tables w t) -> is_true (mt (push r a) (check_fact t e)) = true.
  Proof.
    intros K Q O R. pose proof (proj1 (Forall_forall _ _) HOLD _ K r R) as S'. change (value_of w [r] e <> Truth false) in S'.
    assert (W : List.length r = Compile.columns_of s t).
    { exact (proj1 (Forall_forall _ _) (answer_width s w L C (Scan t) Q []) r R). }
    unfold check_fact. change (negb (is_true (mt (push r a) (un SNegated (ce s [Compile.cells (Compile.columns_of s t)] e)))) = true).
    change (mt (push r a) (un SNegated ?x)) with (match mt (push r a) x with Truth b => Truth (negb b) | _ => Null end). rewrite (e_ok s w blocks named L C BL e _ _ O). cbn [map].
    rewrite (cells_ok w blocks named (push r a)) by (cbn; auto). cbn [push]. assert (X : forall v, v <> Truth false -> negb (is_true match v with Truth b => Truth (negb b) | _ => Null end) = true) by (intros [| |[]| |] N; auto; now destruct N). exact (X _ S').
  Qed.
  Lemma width_ok u e r a : source_width s u = Some a -> In r (ms w blocks named e u) -> List.length r = a.
  Proof.
    assert (ML : forall m x, In x (mm w blocks named e m) -> List.length x = mono_width m).
    { intros m x X. apply in_mono in X as (y & _ & _ & ->). unfold mono_width. generalize (snd (snd (ends_of m))). intros h. induction h as [|t h IH] using terms_list_i; auto. cbn [terms_list List.length]. now rewrite <- IH. }
    destruct u as [t|b|n b]; cbn [source_width]; [| |discriminate].
    - destruct (okq s (Scan t)) eqn:Q; [|discriminate]. intros [= <-] R. exact (proj1 (Forall_forall _ _) (answer_width s w L C (Scan t) Q []) r R).
    - destruct (Nodes.monos b) as [|m l] eqn:M; [discriminate|]. destruct (forallb _ l) eqn:F; [|discriminate]. intros [= <-] R.
      change (In r (nodup row_eq_dec (mb w blocks named e b))) in R. apply nodup_In, in_bag in R as (n & N & R). rewrite M in N. rewrite (ML n r R). destruct N as [<-|N]; auto.
      rewrite forallb_forall in F. now apply Nat.eqb_eq, F.
  Qed.
  Lemma cells_all r : Core.cells (seq 0 (List.length r)) r = r.
  Proof. unfold Core.cells. induction r as [|v r IH]; auto. cbn [List.length seq map]. rewrite <- seq_shift, map_map. cbn [nth]. now rewrite IH. Qed.
  Lemma used_true rows e b m places x : In e (choices base rows) -> In m (Nodes.monos b) -> Nodes.placed rows (fun j => j) (fst (ends_of m)) places = Some x ->
    is_true (mt e (used_fact b (rt x (condition_of m)))) = true.
  Proof.
    intros E M P. unfold used_fact. rewrite disj2_ok. change (is_true (mt e (neg ?x))) with (negb (is_true (mt e x))). destruct (placed_ok w blocks named base rows e _ E places e _ x (fun _ => eq_refl) P) as (a & A & H).
    rewrite (rt_ok w blocks named _ a e x) by (intros; now rewrite H). destruct (is_true (mt a (condition_of m))) eqn:T; [|apply orb_true_r]. apply orb_true_iff. left. apply exists_ok.
    exists (mts a (snd (snd (ends_of m)))). apply in_bag. exists m. split; auto. apply in_mono. eauto.
  Qed.

  Lemma alone_true e f c h : f = Sum \/ f = Least \/ f = Greatest -> is_true (mt e (alone_fact f c h)) = true.
  Proof.
    intros F. apply is_same. change (mt e (ap3 Ite c (first h) (Apply (Lit Null) Tn))) with (if is_true (mt e c) then mt e (first h) else Null).
    assert (R : mb w blocks named e (Bc (Give c h) Bn) = if is_true (mt e c) then [mts e h] else []) by (change (mb w blocks named e (Bc (Give c h) Bn)) with ((if is_true (mt e c) then [mts e h] else []) ++ []); now rewrite app_nil_r).
    assert (H : hd Null (mts e h) = mt e (first h)) by now destruct h.
    assert (V : forall g, fold_right (combined g) Null (map (hd Null) (mb w blocks named e (Bc (Give c h) Bn))) = if is_true (mt e c) then mt e (first h) else Null).
    { intros g. rewrite R. destruct (is_true (mt e c)); [|reflexivity]. cbn [map fold_right]. rewrite H. unfold combined. destruct (mt e (first h)); reflexivity. }
    destruct F as [->|[->| ->]]; exact (V _).
  Qed.

  Lemma numeric_value k v : numeric_sort (sort_of k) = true -> fits k v = true -> v = Null \/ exists x, v = Number x.
  Proof. destruct k as [[] m]; try discriminate; intros _; destruct v; cbn; try discriminate; eauto. Qed.
  Lemma divided_true e a b : mt e a = Null \/ (exists x, mt e a = Number x) -> mt e b = Null \/ (exists y, mt e b = Number y) -> is_true (mt e (divided_fact a b)) = true.
  Proof.
    intros A B. unfold divided_fact. cbv zeta. rewrite !disj2_ok, !conj2_ok, !disj2_ok.
    change (is_true (mt e (neg ?x))) with (negb (is_true (mt e x))). change (is_true (mt e (ap1 Known ?x))) with (negb (is_null (mt e x))).
    change (is_true (mt e (ap2 IsSame ?x ?y))) with (same (mt e x) (mt e y)). change (mt e zero) with (number 0).
    change (mt e (Apply (Scalar STimes) (Tc ?x (Tc ?y Tn)))) with (arithmetic Qcmult (mt e x) (mt e y)).
    change (mt e (Apply (Scalar (SQuotient Exact)) (Tc a (Tc b Tn)))) with (quotient Exact (mt e a) (mt e b)).
    destruct A as [->|[x ->]], B as [->|[y ->]]; try reflexivity. cbn [quotient]. unfold same.
    destruct (Qc_eq_dec y (whole 0)) as [->|N]; cbn [is_null negb andb orb].
    - destruct (value_eq_dec (Number (whole 0)) (number 0)) as [|X]; [reflexivity|now destruct X].
    - destruct (value_eq_dec (Number y) (number 0)) as [X|_]; [now inversion X|]. cbn [negb andb arithmetic]. rewrite Qcmult_div_r by exact N.
      destruct (value_eq_dec (Number x) (Number x)) as [|X]; [reflexivity|now destruct X].
  Qed.

  Theorem sound n : (forall rows facts t, closes n rows facts t = true -> refuted rows facts) /\ (forall g p, proves n g p = true -> holds g).
  Proof.
    induction n as [|n [IHt IHp]]; [split; discriminate|]. split.
    - intros rows facts t. cbn [closes]. destruct t as [integral t|b absent branches|b m places rest|k i j rest|k i nowhere there|k i rest|i branches|b m places otherwise rest|f b none branches|f b m places rest|b branches rest|b m places branches rest|b rest|hs b places u rest|b rest|f b rest|f c h rest|a a' t rest|i j t rest|i j rest|a b rest|a b rest|i branches|p b m places otherwise rest|i rest|p b rest|i j rest|hs a a' p rest].
      + intros H. exact (grounded_ok fuel s w blocks named base rows facts integral _ C H).
      + rewrite andb_true_iff. intros [A B]. apply (case _ _ _ _ rows facts (Ex b)); [|eapply IHt; eassumption].
        apply (open_ok _ _ _ _ rows (Ex b :: facts) b); [now left|]. intros m M. destruct (all2_in _ _ _ m B M) as [t H]. apply IHt in H. now apply (flattened_facts _ true).
      + destruct (nth_error _ m) as [mm|] eqn:M; [|discriminate]. destruct (Nodes.placed _ _ _ _) as [x|] eqn:P; [|discriminate]. intros H. apply IHt in H. revert H. apply added. intros e E _.
        apply (used_true rows e b mm places x); auto. now apply nth_error_In in M.
      + destruct (nth_error cs k) as [[t ks| |]|] eqn:K; try discriminate. rewrite !andb_true_iff. intros [[I J] H]. apply nth_error_In in K. apply is_table_ok in I, J.
        apply (key_ok _ _ _ _ cs HOLD rows facts t ks i j); auto; eapply IHt; eassumption.
      + destruct (nth_error cs k) as [[|t ks u ls|]|] eqn:K; try discriminate. rewrite !andb_true_iff. intros [[[I W] A] B]. apply nth_error_In in K. apply is_table_ok in I. apply Nat.eqb_eq in W.
        apply (foreign_ok _ _ _ _ cs HOLD rows facts t ks u ls i); auto; eapply IHt; eassumption.
      + destruct (nth_error cs k) as [[| |t e]|] eqn:K; try discriminate. rewrite !andb_true_iff. intros [[[I Q] O] H]. apply nth_error_In in K. apply is_table_ok in I.
        apply (check_ok _ _ _ _ rows facts t (check_fact t e) i); auto; [|eapply IHt; eassumption]. intros r a R. now apply check_true.
      + destruct (source_at rows i) as [[|b|]|] eqn:S'; try discriminate. intros B. apply (member_ok _ _ _ _ rows facts i b S'). intros m M. destruct (all2_in _ _ _ m B M) as [t H]. apply IHt in H. now apply (flattened_facts _ true).
      + destruct (nth_error _ m) as [mm|] eqn:M; [|discriminate]. destruct (Nodes.placed _ _ _ _) as [x|] eqn:P; [|discriminate]. rewrite andb_true_iff. intros [A B]. apply IHt in A, B. apply nth_error_In in M.
        apply (case _ _ _ _ rows facts (rt x (condition_of mm))); auto. apply (name_ok _ _ _ _ rows _ b mm places x); auto. now left.
      + rewrite !andb_true_iff. intros [[X A] B]. apply (extremum_ok _ _ _ _ rows facts f b X); [eapply IHt; eassumption|]. intros m M. destruct (all2_in _ _ _ m B M) as [t H]. apply IHt in H. now apply (flattened_facts _ true).
      + rewrite andb_true_iff. intros [X H]. destruct (nth_error _ m) as [mm|] eqn:M; [|discriminate]. destruct (Nodes.placed _ _ _ _) as [x|] eqn:P; [|discriminate]. apply nth_error_In in M.
        apply (extremum_use _ _ _ _ rows facts f b mm places x X M P). apply IHt in H; exact H.
      + rewrite andb_true_iff. intros [B H]. apply (sign_ok _ _ _ _ rows facts b); [|eapply IHt; eassumption]. intros m M. destruct (all2_in _ _ _ m B M) as [t T]. apply IHt in T. now apply (flattened_facts _ true).
      + rewrite andb_true_iff. intros [B H]. destruct (nth_error _ m) as [mm|] eqn:M; [|discriminate]. destruct (Nodes.placed _ _ _ _) as [x|] eqn:P; [|discriminate]. apply nth_error_In in M.
        apply (weighs _ _ _ _ rows facts b mm places x); auto; [|apply IHt in H; exact H]. intros m' M'. destruct (all2_in _ _ _ m' B M') as [t T]. apply IHt in T. now apply (flattened_facts _ true).
      + intros H. apply IHt in H. revert H. apply added. intros e E _. rewrite disj2_ok, orb_true_iff, is_same. exact (nothing_weighs w blocks named e b).
      + destruct b as [|m [|]]; try discriminate. pose proof (ends_ok m) as M. destruct (ends_of m) as [ys [chi h]]. cbn [fst snd] in M. subst m. cbv zeta.
        destruct (Nodes.placed _ _ _ _) as [x|] eqn:P; [|discriminate]. rewrite andb_true_iff. intros [U H]. apply IHt in U, H. revert H. apply added. intros e E F.
        apply (only_value w blocks named base (keys_of cs) place_key keys_hold (places_apart w blocks named L BL) rows ys (chosen_facts hs facts) chi h places x); auto; [|now apply chosen_true].
        destruct (unique _ _ _ _ _ _ _) as [us f]. cbn [fst snd] in U. apply refuted_valid. rewrite <- (app_nil_r (flatten _ _)) in U. exact (flattened_facts _ false _ _ U).
      + intros H. apply IHt in H. revert H. apply added. intros e E _. exact (no_value w blocks named b e).
      + rewrite andb_true_iff. intros [N H]. apply IHt in H. revert H. apply added. intros e E _. apply is_same. destruct f; try discriminate; [apply count_is_total|].
        apply (sum_is_total w blocks named s (row_kinds s [] rows)); auto. apply (row_kinds_ok s w blocks named C rows [] base e); auto. intros i. destruct i; apply row_fits_nil.
      + intros H. destruct f; try discriminate; apply IHt in H; revert H; apply added; intros e E _; apply alone_true; tauto.
      + intros H. apply IHt in H. revert H. apply added. intros e E _. unfold replaced_fact. rewrite implies_ok, !is_same. intros Q. symmetry. now apply (proj1 (rewritten w blocks named)).
      + intros H. apply IHt in H. revert H. apply added. intros e E _. unfold moved_fact. rewrite implies_ok, is_same. intros Q. symmetry. apply rt_ok. intros k. unfold moved. destruct (Nat.eqb_spec k i) as [->|]; auto.
        change (same_row (e i) (e j) = true) in Q. unfold same_row in Q. destruct (row_eq_dec (e i) (e j)); congruence.
      + destruct (source_at rows i) as [u|] eqn:I; [|discriminate]. destruct (source_at rows j) as [v|] eqn:J; [|discriminate]. destruct (source_width s u) as [a|] eqn:A; [|discriminate]. destruct (source_width s v) as [b|] eqn:B; [|discriminate].
        rewrite andb_true_iff. intros [W H]. apply Nat.eqb_eq in W. subst b. apply IHt in H. revert H. apply added. intros e E _. unfold cells_fact. rewrite implies_ok, terms_all_ok, equal_cells_ok by auto.
        pose proof (width_ok u e (e i) a A (present w blocks named base rows e i u E I)) as WI. pose proof (width_ok v e (e j) a B (present w blocks named base rows e j v E J)) as WJ.
        rewrite <- WI at 1. rewrite <- WJ. rewrite !cells_all. intros Q. change (same_row (e i) (e j) = true). unfold same_row. destruct (row_eq_dec (e i) (e j)); auto.
      + rewrite !andb_true_iff. intros [[NA NB] H]. apply IHt in H. revert H. apply added. intros e E _.
        assert (G : env_fits (row_kinds s [] rows) e) by (apply (row_kinds_ok s w blocks named C rows [] base e); auto; intros i; destruct i; apply row_fits_nil).
        apply divided_true; [exact (numeric_value _ _ NA (proj1 (kinds_ok s w blocks named C) a _ e G))|exact (numeric_value _ _ NB (proj1 (kinds_ok s w blocks named C) b _ e G))].
      + rewrite andb_true_iff. intros [P H]. apply IHt in H. revert H. apply added. intros e E _. apply is_same. now apply polynomials_agree.
      + destruct (source_at rows i) as [[| |[tag parts order|] b]|] eqn:S'; try discriminate. destruct (own_width parts _ b) as [own|] eqn:O; [|discriminate]. intros B.
        apply (among_ok w blocks named base L BL rows facts i tag parts order b own S' O). intros m M. destruct (all2_in _ _ _ m B M) as [t H]. apply IHt in H. now apply (flattened_facts _ true).
      + destruct p as [tag parts order|]; [|discriminate]. destruct (own_width parts _ b) as [own|] eqn:O; [|discriminate].
        destruct (nth_error _ m) as [mm|] eqn:M; [|discriminate]. destruct (Nodes.placed _ _ _ _) as [x|] eqn:P; [|discriminate]. rewrite andb_true_iff. intros [A B]. apply IHt in A, B. apply nth_error_In in M.
        apply (case _ _ _ _ rows facts (rt x (condition_of mm))); auto. apply (listed_ok w blocks named base L BL rows _ tag parts order b own mm places x); auto. now left.
      + destruct (source_at rows i) as [[| |[tag parts order|] b]|] eqn:I; try discriminate. destruct (own_width parts _ b) as [own|] eqn:O; [|discriminate]. intros H. apply IHt in H. revert H.
        apply added. intros e E _. now apply (counted_true w blocks named base L BL rows e i tag parts order b).
      + destruct p as [tag parts order|]; [|discriminate]. destruct (own_width parts _ b) as [own|] eqn:O; [|discriminate]. intros H. apply IHt in H. revert H. apply added. intros e E _.
        now apply (first_true w blocks named L BL).
      + destruct (source_at rows i) as [[| |[tag parts order|] b]|] eqn:I; try discriminate. destruct (source_at rows j) as [v|] eqn:J; [|discriminate]. rewrite andb_true_iff. intros [Q H]. apply eqs_ok in Q. subst v.
        destruct (own_width parts _ b) as [own|] eqn:O; [|discriminate]. destruct (own_columns b own (seq own parts)) as [pcs|] eqn:P; [|discriminate]. destruct (own_columns b own (seq (own + parts) _)) as [ocs|] eqn:K; [|discriminate].
        apply IHt in H. revert H. apply added. intros e E _. now apply (before_true w blocks named base L BL rows e i j tag parts order b).
      + rewrite andb_true_iff. intros [P H]. apply IHp in P. apply IHt in H. revert H. apply added. intros e E F. apply is_same. apply (P e E). now apply chosen_true.
    - intros g p. cbn [proves]. destruct p as [r trees parts]. destruct (requirements _ _ g r) as [[ps gs]|] eqn:R; [|discriminate]. rewrite andb_true_iff. intros [A B].
      apply (rule_sound w blocks named base (keys_of cs) place_key keys_hold (places_apart w blocks named L BL) blocks_same (fun f l k => folded_function w L f l k) g r ps gs R).
      + apply Forall_forall. intros [rows f] P. destruct (all2_in _ _ _ _ A P) as [t T]. apply refuted_valid. apply IHt in T. rewrite <- (app_nil_r (flatten _ _)) in T. exact (flattened_facts _ false _ _ T).
      + apply Forall_forall. intros g' G. destruct (all2_in _ _ _ _ B G) as [p' P]. now apply IHp in P.
  Qed.
End Check.

(** ** The claim *)
Definition blocks_of (w : world) (p : place) (l : list row) : list row := match p with
  | Places tag parts order => numbered parts order (ties w tag l) | Opaque _ => [] end.
Definition no_functions (n : string) (vs : list value) : value := Null.
Definition nowhere : env := fun _ => [].
Definition first_goal (s : schema) (p q : query) : goal :=
  {| Kernel.rows := []; given := yes; of := Bags (to_bag (cq s [] p)) (to_bag (cq s [] q)) |}.
Definition check_answers (depth fuel : nat) (s : schema) (cs : list constraint) (p q : query) (by_ : proof) : bool :=
  okq s p && okq s q && proves fuel s cs depth (first_goal s p q) by_.
Theorem answers_sound depth fuel s cs p q by_ : check_answers depth fuel s cs p q by_ = true -> same_answers_under s cs p q.
Proof.
  unfold check_answers. rewrite !andb_true_iff. intros [[P Q] R] w (L & C & S).
  assert (H : holds w (blocks_of w) no_functions nowhere (first_goal s p q)).
  { apply (proj2 (sound fuel s cs w (blocks_of w) no_functions nowhere L C S (fun _ _ _ _ => eq_refl)
      ltac:(intros [tag parts order|n] l k X; [cbn [blocks_of]; rewrite (ties_same w L tag l k X)|]; apply Permutation_refl) depth) _ _ R). }
  specialize (H nowhere (or_introl eq_refl) eq_refl). cbn [first_goal of related] in H. rewrite !(mb_to w (blocks_of w) no_functions) in H.
  rewrite <- (q_ok s w (blocks_of w) no_functions L C (fun _ _ _ _ => eq_refl) p [] nowhere P), <- (q_ok s w (blocks_of w) no_functions L C (fun _ _ _ _ => eq_refl) q [] nowhere Q). exact H.
Qed.

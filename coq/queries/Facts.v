(** * What is known of rows (THEORY-SQL, section 3)

    A premise is a formula over rows of tables. Its proof lists instances of what is true of all rows of all databases with the
    constraints: of Ex by Open and Use, of keys, of foreign keys and of checks; and then a refutation tree. Open gives names to
    rows that are there if something is so: the guard of a row says when it is one of its table. *)
From Tallystick.queries Require Export FormsSound.

Inductive step :=
  | Open (function : nat) (arguments : list term)
  | Use (function : nat) (arguments : list term) (rows : list nat)
  | KeyOf (constraint first second : nat)
  | Referred (constraint row : nat)
  | Checked (constraint row : nat).
Record variable := { of : ty; source : string; guard : term }.
Record context := { variables : list variable; known : list term }.
Definition kinds_in (c : context) : list ty := map of (variables c).
Definition bools (l : list term) : bool := forallb (fun t => is (type t) TBool) l.
Definition learn (c : context) (vs : list variable) (hyps goals : list term) : option context :=
  if bools (hyps ++ goals) then Some {| variables := variables c ++ vs; known := known c ++ [implies (conj hyps) (conj goals)] |} else None.
Definition row_of (c : context) (i : nat) : option (variable * term) :=
  option_map (fun v => (v, Var (Any i) (of v))) (nth_error (variables c) i).

Section Steps.
  Variables (ds : list existence) (s : Q.schema) (fuel : nat) (cs : list Q.constraint).
  (** Some columns of a row of a table: that they are not NULL, and that two rows have the same there. *)
  Definition columns_of (columns : list nat) (x : term) (t : list column) : option cells_of := sequence (map (nth_error (table_cells x 0 t)) columns).
  Definition present (l : cells_of) : list term := map (fun c => mk Not [fst (snd c)]) l.
  Definition alike (l k : cells_of) : list term := map (fun p => eq' (snd (snd (fst p))) (snd (snd (snd p)))) (combine l k).
  Definition same_kinds (l k : cells_of) : bool := list_eqb kind_eqb (kinds_of l) (kinds_of k).
  (** A row of a table: the variable, and the columns of the table. *)
  Definition table_row (c : context) (i : nat) (t : string) : option (variable * term * list column) :=
    bind (row_of c i) (fun '(v, x) => bind (lookup s t) (fun cols =>
      if String.eqb (source v) t && ty_eqb (of v) (table_ty cols) then Some (v, x, cols) else None)).
  Definition stepped (c : context) (st : step) : option context :=
    let n := List.length (variables c) in match st with
    | Open f args => bind (nth_error ds f) (fun d =>
        let e := call d args in let fresh := map (fun p => {| of := snd p; source := fst p; guard := e |}) (ex_over d) in
        let xs := map (fun p => Var (Any (n + fst p)) (snd (snd p))) (combine (seq 0 (List.length (ex_over d))) (ex_over d)) in
        if typed_as_b args (ex_takes d) && scoped true (kinds_in c) e
        then learn c fresh [e] [substitute (Definitions.put (args ++ xs)) (ex_where d)] else None)
    | Use f args rows => bind (nth_error ds f) (fun d => bind (sequence (map (row_of c) rows)) (fun vs =>
        if typed_as_b args (ex_takes d) && over_eqb (map (fun v => (source (fst v), of (fst v))) vs) (ex_over d)
        then learn c [] (map (fun v => guard (fst v)) vs ++ [substitute (Definitions.put (args ++ map snd vs)) (ex_where d)]) [call d args] else None))
    | KeyOf k i j => match nth_error cs k with
        | Some (Q.Key t key) => bind (table_row c i t) (fun '(v, x, cols) => bind (table_row c j t) (fun '(w, y, _) =>
            bind (columns_of key x cols) (fun l => bind (columns_of key y cols) (fun m =>
            if same_kinds l m then learn c [] (guard v :: guard w :: present l ++ present m ++ alike l m) [eq' x y] else None))))
        | _ => None end
    | Referred k i => match nth_error cs k with
        | Some (Q.ForeignKey t key u referenced) => bind (table_row c i t) (fun '(v, x, cols) => bind (lookup s u) (fun cols' =>
            bind (columns_of key x cols) (fun l => let y := Var (Any n) (table_ty cols') in bind (columns_of referenced y cols') (fun m =>
            let g := conj (guard v :: present l) in
            if scoped true (kinds_in c) g && bools (guard v :: present l) && same_kinds l m
            then learn c [{| of := table_ty cols'; source := u; guard := g |}] [g] (present m ++ alike l m) else None))))
        | _ => None end
    | Checked k i => match nth_error cs k with
        | Some (Q.Check t e) => bind (table_row c i t) (fun '(v, x, cols) =>
            match terms ds s fuel (kinds_in c) [table_cells x 0 cols] e with
            | Some (Q.Truths, (null, true_)) => learn c [] [guard v] [disj [null; true_]]
            | _ => None end)
        | _ => None end
    end.
  Fixpoint steps_from (c : context) (l : list step) : option context := match l with [] => Some c | st :: l => bind (stepped c st) (fun c => steps_from c l) end.
  Definition follows_by (c : context) (hyps : list term) (goal : term) (by_ : list step * tree) : bool := match steps_from c (fst by_) with
    | Some c' => let l := hyps ++ known c' in bools (goal :: l) && forallb (scoped true (kinds_in c)) (goal :: hyps) && refutes fuel (implies (conj l) goal) (snd by_)
    | None => false end.
End Steps.

Lemma learn_more c vs h g c' : learn c vs h g = Some c' -> kinds_in c' = kinds_in c ++ map of vs.
Proof. unfold learn. destruct (bools _); [|discriminate]. intros [= <-]. apply map_app. Qed.
Lemma steps_more ds s fuel cs l : forall c c', steps_from ds s fuel cs c l = Some c' -> exists us, kinds_in c' = kinds_in c ++ us.
Proof.
  induction l as [|st l IH]; cbn [steps_from]; intros c c' E; [inversion E; subst; exists []; now rewrite app_nil_r|].
  destruct (stepped ds s fuel cs c st) as [c1|] eqn:S; [|discriminate]. cbn [bind] in E. destruct (IH _ _ E) as (us & U).
  assert (X : exists us, kinds_in c1 = kinds_in c ++ us).
  { destruct st; cbn [stepped] in S; unfold bind in S;
      repeat match type of S with context [match ?x with _ => _ end] => destruct x eqn:?; try discriminate end; apply learn_more in S; eauto. }
  destruct X as (us' & X). exists (us' ++ us). now rewrite app_assoc, <- X.
Qed.

(** ** Soundness *)
Definition defined_ok (d : existence) := is (type (ex_where d)) TBool && scoped true (ex_takes d ++ types (ex_over d)) (ex_where d).
Lemma ordered_pairs {A} (R : A -> A -> Prop) l x y : ForallOrdPairs R l -> In x l -> In y l -> x = y \/ R x y \/ R y x.
Proof.
  induction 1 as [|z l F _ IH]; cbn; [tauto|]. rewrite Forall_forall in F. intros [->|X] [->|Y]; auto.
Qed.

Lemma nth_error_map_inv {A B} (f : A -> B) l i y : nth_error (map f l) i = Some y -> exists x, nth_error l i = Some x /\ f x = y.
Proof. revert i; induction l as [|a l IH]; intros [|i]; cbn; try discriminate; [intros [= <-]; eauto|apply IH]. Qed.
Section Sound.
  Variables (ds : list existence) (s : Q.schema) (d : Q.database) (en : env) (fuel : nat) (cs : list Q.constraint).
  Hypothesis EN : typed en.
  Hypothesis KN : knows_ex ds en.
  Hypothesis OK : forallb defined_ok ds = true.
  Hypothesis CO : Q.conforms s d.
  Hypothesis CS : Forall (Q.satisfies d) cs.
  Hypothesis TAB : forall t cs, lookup s t = Some cs -> Permutation (elements (en (N t) (TBag (table_ty cs)))) (map (fun r => VTup (stored_row cs r)) (d t)).
  Hypothesis EVERY : forall ks, exists us, NoDup us /\ Forall (of_kinds ks) us /\ Permutation (elements (en (N (every ks)) (TBag (row_ty ks)))) (map (enc ks) us).

  Definition there ts vs (i : nat) (v : variable) := nth_error ts i = Some (of v) /\ forall r, here en ts vs r -> toB (meaning r (guard v)) = true ->
    In (nth i vs nothing) (elements (en (N (source v)) (TBag (of v)))).
  Record holds (c : context) (vs : list val) : Prop := {
    holds_typed : Forall2 has_type vs (kinds_in c);
    holds_rows : forall i v, nth_error (variables c) i = Some v -> there (kinds_in c) vs i v;
    holds_known : forall f, In f (known c) -> bool_term f /\ forall r, here en (kinds_in c) vs r -> toB (meaning r f) = true }.
  Lemma bools_ok l : bools l = true -> Forall bool_term l.
  Proof. unfold bools. rewrite forallb_forall, Forall_forall. intros H x X. now apply is_eq, H. Qed.
  Lemma conj_true r l : typed r -> Forall bool_term l -> (toB (meaning r (conj l)) = true <-> forall t, In t l -> toB (meaning r t) = true).
  Proof.
    intros R B. rewrite (proj2 (conj_list_ok r l R B)), forallb_forall. split; intros H x X; [apply H; now apply in_map|].
    apply in_map_iff in X as (t & <- & X). auto.
  Qed.
  Lemma learn_ok c vs new ws hyps goals c' : learn c new hyps goals = Some c' -> holds c vs -> Forall2 has_type ws (map of new) ->
    (forall r, here en (kinds_in c ++ map of new) (vs ++ ws) r -> (forall t, In t hyps -> toB (meaning r t) = true) -> forall t, In t goals -> toB (meaning r t) = true) ->
    (forall i v, nth_error new i = Some v -> forall r, here en (kinds_in c ++ map of new) (vs ++ ws) r -> toB (meaning r (guard v)) = true ->
      In (nth i ws nothing) (elements (en (N (source v)) (TBag (of v))))) -> holds c' (vs ++ ws).
  Proof.
    unfold learn. destruct (bools _) eqn:T; [|discriminate]. apply bools_ok, Forall_app in T as [TH TG]. set (f := implies (conj hyps) (conj goals)). intros [= <-] [H1 H2 H3] W F G.
    assert (KI : kinds_in {| variables := variables c ++ new; known := known c ++ [f] |} = kinds_in c ++ map of new) by (unfold kinds_in; cbn; apply map_app).
    assert (LEN : List.length vs = List.length (variables c)) by (rewrite (Forall2_length _ _ _ H1); apply map_length).
    split; rewrite ?KI; cbn [variables known].
    - now apply Forall2_app.
    - intros i v N. destruct (Nat.lt_ge_cases i (List.length (variables c))) as [L|L].
      + rewrite nth_error_app1 in N by auto. destruct (H2 i v N) as [A B]. split; [rewrite nth_error_app1; [exact A|apply nth_error_Some; congruence]|].
        intros r H. rewrite app_nth1 by lia. apply B. now apply here_app in H.
      + rewrite nth_error_app2 in N by auto. split.
        * unfold kinds_in. rewrite <- map_app. apply map_nth_error. now rewrite nth_error_app2.
        * intros r H. rewrite app_nth2 by lia. rewrite LEN. exact (G _ v N r H).
    - intros g I. apply in_app_iff in I as [I|[<-|[]]].
      + destruct (H3 g I) as [A B]. split; auto. intros r H. apply B. now apply here_app in H.
      + destruct (conj_list_ok default_env hyps default_env_typed TH) as [CH _]. destruct (conj_list_ok default_env goals default_env_typed TG) as [CG _].
        split; [exact (proj1 (implies_ok default_env _ _ default_env_typed CH CG))|]. intros r H. pose proof (here_typed _ _ _ _ H) as R.
        unfold f. rewrite (proj2 (implies_ok r _ _ R CH CG)). destruct (toB (meaning r (conj hyps))) eqn:E; auto. cbn [implb].
        apply conj_true; auto. intros t I. apply (F r H); auto. now apply conj_true.
  Qed.

  Lemma of_ds i f : nth_error ds i = Some f -> In f ds /\ type (ex_where f) = Some TBool /\ scoped true (ex_takes f ++ types (ex_over f)) (ex_where f) = true.
  Proof.
    intros N. apply nth_error_In in N. rewrite forallb_forall in OK. pose proof (OK f N) as D. unfold defined_ok in D. apply andb_true_iff in D as [A B]. apply is_eq in A. auto.
  Qed.
  (** An instance of the condition of a definition, and the value of a call. *)
  Lemma instance_is r i f args : nth_error ds i = Some f -> typed r -> (forall x u, is_any x = false -> r x u = en x u) ->
    typed_as args (ex_takes f ++ types (ex_over f)) -> meaning r (substitute (Definitions.put args) (ex_where f)) =
      meaning (bound (ex_takes f ++ types (ex_over f)) (map (meaning r) args) en) (ex_where f).
  Proof.
    intros N R SAME A. destruct (of_ds i f N) as (_ & T & S). rewrite (proj2 (Definitions.put_ok r args _ _ _ R A T)). pose proof (Definitions.values_typed r args _ R A) as V.
    apply here_meaning; auto. split; [now apply bound_typed| |].
    - intros x u X. rewrite <- (SAME x u X). destruct x; auto; discriminate.
    - intros j u J. now apply bound_nth.
  Qed.
  Lemma call_is r i f args : nth_error ds i = Some f -> typed r -> (forall x u, is_any x = false -> r x u = en x u) ->
    typed_as args (ex_takes f) -> meaning r (call f args) = VBool (ex_value en f (map (meaning r) args)).
  Proof.
    intros N R SAME A. unfold call, meaning at 1. cbn [run]. rewrite SAME by reflexivity. destruct (of_ds i f N) as (I & _). apply (KN f I). now apply Definitions.values_typed.
  Qed.
  Lemma choices_in ys l : Forall2 (fun y tu => In y (elements (en (N (fst tu)) (TBag (snd tu))))) ys l -> In ys (choices en l).
  Proof.
    induction 1 as [|y [t u] ys l H _ IH]; cbn [choices]; [left; reflexivity|]. apply in_flat_map. exists y. split; auto. now apply in_map.
  Qed.
  Lemma choices_nth l : forall ys i t u, In ys (choices en l) -> nth_error l i = Some (t, u) -> In (nth i ys nothing) (elements (en (N t) (TBag u))).
  Proof.
    induction l as [|[t' u'] l IH]; intros ys [|i] t u Y NV; cbn in NV; try discriminate; cbn [choices] in Y; apply in_flat_map in Y as (z & Z1 & Z2); apply in_map_iff in Z2 as (zs & <- & Z2).
    - inversion NV; subst. exact Z1.
    - exact (IH zs i t u Z2 NV).
  Qed.
  Lemma default_values ts : Forall2 has_type (map default ts) ts.
  Proof. induction ts; cbn; constructor; auto. apply default_typed. Qed.
  Lemma fresh_typed l : forall n ts vs ys r, List.length ts = n -> List.length vs = n -> here en (ts ++ types l) (vs ++ ys) r -> Forall2 has_type ys (types l) ->
    let xs := map (fun p => Var (Any (n + fst p)) (snd (snd p))) (combine (seq 0 (List.length l)) l) in typed_as xs (types l) /\ map (meaning r) xs = ys.
  Proof.
    intros n ts vs ys r LT LV H Y. cbv zeta.
    enough (G : forall k zs j, (forall i u, nth_error (types k) i = Some u -> nth_error (types l) (j + i) = Some u /\ nth i zs nothing = nth (j + i) ys nothing) ->
      Forall2 has_type zs (types k) -> let xs := map (fun p => Var (Any (n + fst p)) (snd (snd p))) (combine (seq j (List.length k)) k) in typed_as xs (types k) /\ map (meaning r) xs = zs)
      by (apply (G l ys O); auto).
    induction k as [|[t u] k IH]; intros zs j N Z; inversion Z as [|z ? zs' ? Z1 Z2]; subst; [split; [constructor|reflexivity]|].
    cbn [List.length seq combine map types fst snd]. destruct (IH zs' (Datatypes.S j)) as [I1 I2]; auto.
    { intros i w W. rewrite Nat.add_succ_comm. exact (N (Datatypes.S i) w W). }
    destruct (N O u eq_refl) as [N1 N2]. rewrite Nat.add_0_r in N1, N2. cbn [nth] in N2. split; [constructor; [reflexivity|exact I1]|]. rewrite I2. f_equal.
    unfold meaning. cbn [run]. rewrite (here_any _ _ _ _ H (List.length ts + j) u).
    - rewrite app_nth2 by lia. rewrite LV. replace (List.length ts + j - List.length ts)%nat with j by lia. now symmetry.
    - rewrite nth_error_app2 by lia. now replace (List.length ts + j - List.length ts)%nat with j by lia.
  Qed.
  Lemma open_ok c vs f args c' : holds c vs -> stepped ds s fuel cs c (Open f args) = Some c' -> exists ws, holds c' (vs ++ ws).
  Proof.
    intros H E. cbn [stepped] in E. destruct (nth_error ds f) as [x|] eqn:N; [|discriminate]. cbn [bind] in E. cbv zeta in E.
    destruct (typed_as_b args (ex_takes x) && _) eqn:C; [|discriminate]. apply andb_true_iff in C as [C1 C2]. apply typed_as_ok in C1.
    set (l := ex_over x) in *. pose proof (holds_typed _ _ H) as V.
    assert (MO : map of (map (fun p => {| of := snd p; source := fst p; guard := call x args |}) l) = types l) by (rewrite map_map; reflexivity).
    assert (LEN : List.length vs = List.length (variables c)) by (rewrite (Forall2_length _ _ _ V); apply map_length).
    assert (LK : List.length (kinds_in c) = List.length (variables c)) by (apply map_length).
    set (r0 := bound (kinds_in c) vs en). set (avs := map (meaning r0) args).
    assert (AV : forall r, here en (kinds_in c) vs r -> map (meaning r) args = avs).
    { intros r R. apply map_ext_in. intros a A. apply here_meaning; auto. unfold call in C2. cbn [scoped] in C2. apply andb_true_iff in C2 as [_ C2]. rewrite forallb_forall in C2. auto. }
    assert (CALL : forall r, here en (kinds_in c) vs r -> meaning r (call x args) = VBool (ex_value en x avs)).
    { intros r R. rewrite (call_is r f x args N (here_typed _ _ _ _ R) (here_same _ _ _ _ R) C1). now rewrite (AV r R). }
    destruct (ex_value en x avs) eqn:EV.
    - unfold ex_value in EV. apply existsb_exists in EV as (ys & Y1 & Y2). pose proof (choices_typed en (ex_over x) ys EN Y1) as TY. exists ys.
      apply (learn_ok c vs _ ys _ _ c' E H); rewrite MO.
      + exact TY.
      + intros r R _ t [<-|[]]. destruct (fresh_typed l _ _ vs ys r LK LEN R TY) as [F1 F2].
        assert (A : typed_as (args ++ map (fun p => Var (Any (List.length (variables c) + fst p)) (snd (snd p))) (combine (seq 0 (List.length l)) l)) (ex_takes x ++ types l)) by (now apply Forall2_app).
        rewrite (instance_is r f x _ N (here_typed _ _ _ _ R) (here_same _ _ _ _ R) A), map_app, F2, (AV r (here_app _ _ _ _ _ _ V R)). exact Y2.
      + intros i v NV r R G. apply nth_error_map_inv in NV as ([t u] & NV & <-). cbn [of source snd fst]. exact (choices_nth _ _ _ _ _ Y1 NV).
    - exists (map default (types l)). apply (learn_ok c vs _ _ _ _ c' E H); rewrite MO; [apply default_values| |].
      + intros r R HY t _. specialize (HY _ (or_introl eq_refl)). rewrite (CALL r (here_app _ _ _ _ _ _ V R)) in HY. discriminate.
      + intros i v NV r R G. apply nth_error_map_inv in NV as (p & _ & <-). cbn [guard] in G. rewrite (CALL r (here_app _ _ _ _ _ _ V R)) in G. discriminate.
  Qed.

  Lemma learned c vs hyps goals c' : learn c [] hyps goals = Some c' -> holds c vs ->
    (forall r, here en (kinds_in c) vs r -> (forall t, In t hyps -> toB (meaning r t) = true) -> forall t, In t goals -> toB (meaning r t) = true) -> exists ws, holds c' (vs ++ ws).
  Proof.
    intros E H F. exists []. apply (learn_ok c vs [] [] _ _ c' E H); [constructor| |].
    - intros r R. cbn [map] in R. rewrite !app_nil_r in R. now apply F.
    - intros i v N. destruct i; discriminate.
  Qed.
  Lemma row_of_is c vs i v x : holds c vs -> row_of c i = Some (v, x) -> nth_error (variables c) i = Some v /\ x = Var (Any i) (of v) /\ type x = Some (of v) /\
    forall r, here en (kinds_in c) vs r -> meaning r x = nth i vs nothing.
  Proof.
    intros H. unfold row_of. destruct (nth_error (variables c) i) as [w|] eqn:N; [|discriminate]. cbn [option_map]. intros E. inversion E; subst. repeat split; auto.
    intros r R. apply (here_any _ _ _ _ R). exact (proj1 (holds_rows _ _ H i v N)).
  Qed.
  Lemma use_ok c vs f args rows c' : holds c vs -> stepped ds s fuel cs c (Use f args rows) = Some c' -> exists ws, holds c' (vs ++ ws).
  Proof.
    intros H E. cbn [stepped] in E. destruct (nth_error ds f) as [x|] eqn:N; [|discriminate]. cbn [bind] in E.
    destruct (sequence (map (row_of c) rows)) as [xs|] eqn:XS; [|discriminate]. cbn [bind] in E. destruct (typed_as_b args (ex_takes x) && _) eqn:C; [|discriminate].
    apply andb_true_iff in C as [C1 C2]. apply typed_as_ok in C1. apply over_eqb_eq in C2. apply sequence_map in XS.
    apply (learned _ _ _ _ _ E H). intros r R HY t [<-|[]]. pose proof (here_typed _ _ _ _ R) as RT. rewrite (call_is r f x args N RT (here_same _ _ _ _ R) C1), toB_bool.
    assert (G : forall v, In v xs -> toB (meaning r (guard (fst v))) = true) by (intros v I; apply HY, in_app_iff; left; now apply (in_map (fun v => guard (fst v)))).
    assert (IN : Forall2 (fun y tu => In y (elements (en (Semantics.N (fst tu)) (TBag (snd tu))))) (map (meaning r) (map snd xs)) (ex_over x) /\ typed_as (map snd xs) (types (ex_over x))).
    { rewrite <- C2. clear -XS G H R. unfold types. induction XS as [|i [v y] rows xs E XS IH]; cbn [map fst snd]; [split; constructor|]. destruct (row_of_is c vs i v y H E) as (N & _ & T & M).
      destruct IH as [I1 I2]; [intros w W; apply G; now right|]. split; constructor; auto. cbn [fst snd]. rewrite (M r R). apply (proj2 (holds_rows _ _ H i v N) r R). apply (G (v, y)). now left. }
    destruct IN as [IN TX]. unfold ex_value. apply existsb_exists. exists (map (meaning r) (map snd xs)). split; [now apply choices_in|].
    assert (A : typed_as (args ++ map snd xs) (ex_takes x ++ types (ex_over x))) by (now apply Forall2_app).
    rewrite <- map_app, <- (instance_is r f x _ N RT (here_same _ _ _ _ R) A). apply HY, in_app_iff. right. now left.
  Qed.

  (** Rows of tables, and some of their columns. *)
  Lemma table_row_is c vs i t v x cols : holds c vs -> table_row s c i t = Some (v, x, cols) ->
    nth_error (variables c) i = Some v /\ lookup s t = Some cols /\ type x = Some (table_ty cols) /\ (forall r, here en (kinds_in c) vs r -> meaning r x = nth i vs nothing) /\
    ((exists r, here en (kinds_in c) vs r /\ toB (meaning r (guard v)) = true) -> exists row, In row (d t) /\ nth i vs nothing = VTup (stored_row cols row) /\
      forall r, here en (kinds_in c) vs r -> row_here r (table_cells x 0 cols) row).
  Proof.
    intros H. unfold table_row. destruct (row_of c i) as [[v' x']|] eqn:RO; [|discriminate]. cbn [bind]. destruct (lookup s t) as [cols'|] eqn:L; [|discriminate]. cbn [bind].
    destruct (_ && _) eqn:C; [|discriminate]. intros E. inversion E; subst. apply andb_true_iff in C as [C1 C2]. apply String.eqb_eq in C1. apply ty_eqb_eq in C2.
    destruct (row_of_is c vs i v x H RO) as (N & X & T & M). rewrite C2 in T. repeat split; auto. intros (r & R & G).
    pose proof (proj2 (holds_rows _ _ H i v N) r R G) as I. rewrite C1, C2 in I. apply (Permutation_in _ (TAB t cols L)) in I. apply in_map_iff in I as (row & E' & I).
    exists row. repeat split; auto. intros r' R'. apply table_cells_here; [apply R'| |].
    - apply (CO t); auto. unfold lookup in L. destruct (find _ s) as [[t' cs']|] eqn:F; [|discriminate]. cbn in L. inversion L; subst. apply find_some in F as [F1 F2]. apply String.eqb_eq in F2. cbn in F2. now subst.
    - split; [exact T|]. fold (meaning r' x). rewrite (M r' R'). now symmetry.
  Qed.
  Lemma columns_here r x cols row key l : row_here r (table_cells x 0 cols) row -> columns_of key x cols = Some l -> row_here r l (Q.values key row).
  Proof.
    intros R E. apply sequence_map in E. unfold Q.values. induction E as [|i c key l N E IH]; cbn [map]; [constructor|]. constructor; auto. clear E IH.
    revert i N. induction R as [|c' v h row C R IH]; intros [|i] N; cbn in N |- *; try discriminate; [now inversion N; subst|exact (IH i N)].
  Qed.
  Lemma not_null r n v : typed r -> true_here r n (is_null v) -> toB (meaning r (mk Not [n])) = negb (is_null v).
  Proof. intros R A. destruct (neg_is r None None nothing nothing R I I n _ A) as [_ B]. unfold meaning, neg in *. rewrite B. apply toB_bool. Qed.
  Lemma agree r l m vs ws : typed r -> row_here r l vs -> row_here r m ws -> same_kinds l m = true -> (forall t, In t (present l) -> toB (meaning r t) = true) ->
    (forall t, In t (present m) -> toB (meaning r t) = true) -> (forall t, In t (alike l m) -> toB (meaning r t) = true) -> ~ In Q.Null vs /\ vs = ws.
  Proof.
    intros R L. revert m ws. induction L as [|[k [n x]] v l vs (C1 & C2 & C3) L IH]; intros m ws M K P P' A; inversion M as [|[k' [n' x']] w m' ws' (D1 & D2 & D3) M']; subst; try discriminate; [split; auto|].
    unfold same_kinds in K. cbn [kinds_of map fst list_eqb] in K. apply andb_true_iff in K as [K1 K2]. assert (k = k') by (destruct k, k'; discriminate || reflexivity). subst k'.
    cbn [fst snd present alike map combine] in *.
    destruct (IH m' ws' M' K2) as [I1 I2]; [intros t T; apply P; now right|intros t T; apply P'; now right|intros t T; apply A; now right|].
    pose proof (P _ (or_introl eq_refl)) as N1. rewrite (not_null r n v R C2) in N1. apply negb_true_iff in N1.
    pose proof (P' _ (or_introl eq_refl)) as N2. rewrite (not_null r n' w R D2) in N2. apply negb_true_iff in N2.
    pose proof (A _ (or_introl eq_refl)) as E. destruct (eq_is r None None nothing nothing R I I _ _ _ _ _ C3 D3) as [_ E']. unfold meaning in E. rewrite E', toB_bool in E. apply veqb_eq in E.
    assert (v = w) by (apply (base_injective k); congruence). subst w. subst ws'. split; auto. intros [X|X]; [subst v; discriminate|auto].
  Qed.
  Lemma agreeing r l m vs : typed r -> row_here r l vs -> row_here r m vs -> same_kinds l m = true -> ~ In Q.Null vs -> forall t, In t (present m ++ alike l m) -> toB (meaning r t) = true.
  Proof.
    intros R L. revert m. induction L as [|[k [n x]] v l vs (C1 & C2 & C3) L IH]; intros m M K NN t; inversion M as [|[k' [n' x']] w m' ws' (D1 & D2 & D3) M']; subst; [intros []|].
    unfold same_kinds in K. cbn [kinds_of map fst list_eqb] in K. apply andb_true_iff in K as [K1 K2]. assert (k = k') by (destruct k, k'; discriminate || reflexivity). subst k'.
    cbn [fst snd present alike map combine app] in *. assert (N0 : is_null v = false) by (destruct v; auto; exfalso; apply NN; now left).
    intros [<-|I0]; [rewrite (not_null r n' v R D2), N0; reflexivity|]. apply in_app_iff in I0 as [I0|[<-|I0]].
    - apply (IH m' M' K2); [intros X; apply NN; now right|apply in_app_iff; now left].
    - destruct (eq_is r None None nothing nothing R I I _ _ _ _ _ C3 D3) as [_ E']. unfold meaning. now rewrite E', toB_bool, veqb_refl.
    - apply (IH m' M' K2); [intros X; apply NN; now right|apply in_app_iff; now right].
  Qed.
  Lemma no_nulls r l vs : typed r -> row_here r l vs -> (forall t, In t (present l) -> toB (meaning r t) = true) -> ~ In Q.Null vs.
  Proof.
    intros R L. induction L as [|[k [n x]] v l vs (C1 & C2 & C3) L IH]; intros P; [tauto|]. intros [X|X]; [|revert X; apply IH; intros t T; apply P; now right].
    pose proof (P _ (or_introl eq_refl)) as N1. cbn [fst snd] in *. rewrite (not_null r n v R C2) in N1. subst. discriminate.
  Qed.
  Lemma constraint_holds i k : nth_error cs i = Some k -> Q.satisfies d k.
  Proof. intros N. apply nth_error_In in N. rewrite Forall_forall in CS. auto. Qed.
  Lemma key_ok c vs k i j c' : holds c vs -> stepped ds s fuel cs c (KeyOf k i j) = Some c' -> exists ws, holds c' (vs ++ ws).
  Proof.
    intros H E. cbn [stepped] in E. destruct (nth_error cs k) as [[t key| |]|] eqn:K; try discriminate. apply constraint_holds in K. cbn in K.
    destruct (table_row s c i t) as [[[v x] cols]|] eqn:T1; [|discriminate]. cbn [bind] in E. destruct (table_row s c j t) as [[[w y] cols']|] eqn:T2; [|discriminate]. cbn [bind] in E.
    destruct (columns_of key x cols) as [l|] eqn:L; [|discriminate]. cbn [bind] in E. destruct (columns_of key y cols) as [m|] eqn:M; [|discriminate]. cbn [bind] in E.
    destruct (same_kinds l m) eqn:SK; [|discriminate]. apply (learned _ _ _ _ _ E H). intros r R HY f [<-|[]]. pose proof (here_typed _ _ _ _ R) as RT.
    destruct (table_row_is c vs i t v x cols H T1) as (N1 & L1 & X1 & M1 & R1). destruct (table_row_is c vs j t w y cols' H T2) as (N2 & L2 & X2 & M2 & R2).
    assert (cols' = cols) by congruence. subst cols'.
    destruct R1 as (row & I1 & V1 & H1); [exists r; split; auto; apply HY; now left|]. destruct R2 as (row' & I2 & V2 & H2); [exists r; split; auto; apply HY; right; now left|].
    pose proof (columns_here r x cols row key l (H1 r R) L) as CL. pose proof (columns_here r y cols row' key m (H2 r R) M) as CM.
    destruct (agree r l m _ _ RT CL CM SK) as [NN EQ].
    - intros t' I'. apply HY. right. right. rewrite !in_app_iff. auto.
    - intros t' I'. apply HY. right. right. rewrite !in_app_iff. auto.
    - intros t' I'. apply HY. right. right. rewrite !in_app_iff. auto.
    - rewrite (proj2 (eq_ok r x y (table_ty cols) RT X1 X2)), (M1 r R), (M2 r R), V1, V2. apply veqb_eq.
      destruct (ordered_pairs _ _ row row' K I1 I2) as [->|[X|X]]; auto; destruct X as [X|X]; [tauto|congruence|rewrite <- EQ in X; tauto|congruence].
  Qed.
  Lemma referred_ok c vs k i c' : holds c vs -> stepped ds s fuel cs c (Referred k i) = Some c' -> exists ws, holds c' (vs ++ ws).
  Proof.
    intros H E. cbn [stepped] in E. destruct (nth_error cs k) as [[|t key u referenced|]|] eqn:K; try discriminate. apply constraint_holds in K. cbn in K.
    destruct (table_row s c i t) as [[[v x] cols]|] eqn:T1; [|discriminate]. cbn [bind] in E. destruct (lookup s u) as [cols'|] eqn:LU; [|discriminate]. cbn [bind] in E.
    destruct (columns_of key x cols) as [l|] eqn:L; [|discriminate]. cbn [bind] in E. cbv zeta in E. set (y := Var (Any (List.length (variables c))) (table_ty cols')) in *.
    destruct (columns_of referenced y cols') as [m|] eqn:M; [|discriminate]. cbn [bind] in E. set (g := conj (guard v :: present l)) in *.
    destruct (_ && _ && _) eqn:C; [|discriminate]. rewrite !andb_true_iff in C. destruct C as [[SG BG] SK]. apply bools_ok in BG.
    pose proof (holds_typed _ _ H) as V. destruct (table_row_is c vs i t v x cols H T1) as (N1 & L1 & X1 & M1 & R1).
    assert (LEN : List.length vs = List.length (variables c)) by (rewrite (Forall2_length _ _ _ V); apply map_length).
    assert (LK : List.length (kinds_in c) = List.length (variables c)) by (apply map_length).
    set (r0 := bound (kinds_in c) vs en). pose proof (here_bound en _ _ EN V) as R0. fold r0 in R0.
    assert (SAME : forall r, here en (kinds_in c) vs r -> meaning r g = meaning r0 g) by (intros r R; now apply here_meaning).
    destruct (toB (meaning r0 g)) eqn:G0.
    - pose proof (proj1 (conj_true r0 _ (here_typed _ _ _ _ R0) BG) G0) as GT. destruct R1 as (row & I1 & V1 & H1); [exists r0; split; auto; apply GT; now left|].
      pose proof (columns_here r0 x cols row key l (H1 r0 R0) L) as CL.
      pose proof (no_nulls r0 l _ (here_typed _ _ _ _ R0) CL (fun t' I' => GT t' (or_intror I'))) as NN.
      destruct (K row I1) as [X|(row' & I2 & EQ)]; [tauto|].
      assert (AD : Forall2 Q.admits cols' row').
      { apply (CO u); auto. unfold lookup in LU. destruct (find _ s) as [[t' cs']|] eqn:F; [|discriminate]. cbn in LU. inversion LU; subst. apply find_some in F as [F1 F2]. apply String.eqb_eq in F2. cbn in F2. now subst. }
      assert (IV : In (VTup (stored_row cols' row')) (elements (en (Semantics.N u) (TBag (table_ty cols'))))).
      { apply (Permutation_in _ (Permutation_sym (TAB u cols' LU))). now apply (in_map (fun r => VTup (stored_row cols' r))). }
      exists [VTup (stored_row cols' row')]. apply (learn_ok c vs _ _ _ _ c' E H); cbn [map of].
      + constructor; [|constructor]. apply stored_typed.
      + intros r R _ t' I'. pose proof (here_app _ _ _ _ _ _ V R) as R'. apply (agreeing r l m (Q.values key row) (here_typed _ _ _ _ R)); auto.
        * exact (columns_here r x cols row key l (H1 r R') L).
        * rewrite <- EQ. apply (columns_here r y cols' row' referenced m); auto. apply table_cells_here; [apply R|exact AD|]. split; [reflexivity|]. unfold y. cbn [run].
          rewrite (here_any _ _ _ _ R _ (table_ty cols')).
          -- rewrite app_nth2 by lia. rewrite LEN, Nat.sub_diag. reflexivity.
          -- rewrite nth_error_app2 by lia. now rewrite LK, Nat.sub_diag.
      + intros [|j] w NV r R _; [|destruct j; discriminate]. cbn in NV. inversion NV; subst. exact IV.
    - exists [default (table_ty cols')]. apply (learn_ok c vs _ _ _ _ c' E H); cbn [map of].
      + constructor; [apply default_typed|constructor].
      + intros r R HY. specialize (HY g (or_introl eq_refl)). rewrite (SAME r (here_app _ _ _ _ _ _ V R)), G0 in HY. discriminate.
      + intros [|j] w NV r R GT; [|destruct j; discriminate]. cbn [nth_error] in NV. assert (GW : guard w = g) by (now inversion NV). rewrite GW, (SAME r (here_app _ _ _ _ _ _ V R)), G0 in GT. discriminate.
  Qed.
  Lemma checked_ok c vs k i c' : holds c vs -> stepped ds s fuel cs c (Checked k i) = Some c' -> exists ws, holds c' (vs ++ ws).
  Proof.
    intros H E. cbn [stepped] in E. destruct (nth_error cs k) as [[| |t e]|] eqn:K; try discriminate. apply constraint_holds in K. cbn in K.
    destruct (table_row s c i t) as [[[v x] cols]|] eqn:T1; [|discriminate]. cbn [bind] in E.
    destruct (terms _ _ _ _ _ e) as [[[] [null true_]]|] eqn:TE; try discriminate. apply (learned _ _ _ _ _ E H). intros r R HY f [<-|[]].
    destruct (table_row_is c vs i t v x cols H T1) as (N1 & L1 & X1 & M1 & R1). destruct R1 as (row & I1 & V1 & H1); [exists r; split; auto; apply HY; now left|].
    destruct (proj2 (compiled_ok ds s d en EN KN CO TAB EVERY fuel) (kinds_in c) vs [table_cells x 0 cols] [row] e _ _ (holds_typed _ _ H)
      (fun r' R' => Forall2_cons _ _ (H1 r' R') (Forall2_nil _)) TE r R) as (A & B & C).
    assert (X : true_here r true_ (Q.is_true (Q.value_of d [row] e))) by (destruct (Q.value_of d [row] e); try discriminate; exact C).
    destruct (disj_is r None None nothing nothing (here_typed _ _ _ _ R) I I [null; true_] [_; _]
      (Forall2_cons (R := true_here r) null _ B (Forall2_cons true_ _ X (Forall2_nil _)))) as [_ D].
    unfold meaning. rewrite D, toB_bool. specialize (K row I1). destruct (Q.value_of d [row] e) as [| |[]|]; try discriminate; auto.
  Qed.
  Theorem steps_ok l : forall c vs c', holds c vs -> steps_from ds s fuel cs c l = Some c' -> exists ws, holds c' (vs ++ ws).
  Proof.
    induction l as [|st l IH]; cbn [steps_from]; intros c vs c' H E; [inversion E; subst; exists []; now rewrite app_nil_r|].
    destruct (stepped ds s fuel cs c st) as [c1|] eqn:S; [|discriminate]. cbn [bind] in E.
    assert (X : exists ws, holds c1 (vs ++ ws)).
    { destruct st; [now apply (open_ok c vs function arguments)|now apply (use_ok c vs function arguments rows)|now apply (key_ok c vs constraint first second)|
        now apply (referred_ok c vs constraint row)|now apply (checked_ok c vs constraint row)]. }
    destruct X as (ws & X). destruct (IH c1 _ c' X E) as (ws' & Y). exists (ws ++ ws'). now rewrite app_assoc.
  Qed.
  Theorem follows_by_ok c vs hyps goal by_ : follows_by ds s fuel cs c hyps goal by_ = true -> holds c vs -> bool_term goal /\
    ((forall h, In h hyps -> toB (meaning (bound (kinds_in c) vs en) h) = true) -> toB (meaning (bound (kinds_in c) vs en) goal) = true).
  Proof.
    unfold follows_by. intros E H. destruct (steps_from _ _ _ _ _ _) as [c'|] eqn:S; [|discriminate]. rewrite !andb_true_iff in E. destruct E as [[B SC] RE].
    apply bools_ok, Forall_cons_iff in B as [BG B]. cbn [forallb] in SC. apply andb_true_iff in SC as [SG SH]. split; auto. intros HY.
    destruct (steps_ok _ _ _ _ H S) as (ws & H'). pose proof (holds_typed _ _ H) as V. pose proof (here_bound en _ _ EN (holds_typed _ _ H')) as R. set (r := bound (kinds_in c') (vs ++ ws) en) in *.
    assert (R' : here en (kinds_in c) vs r).
    { assert (K : exists us, kinds_in c' = kinds_in c ++ us) by (apply (steps_more ds s fuel cs _ _ _ S)). destruct K as (us & K). rewrite K in R. now apply here_app in R. }
    rewrite <- (here_meaning en _ _ r goal EN V SG R'). apply refutes_ok in RE as [_ RE]. specialize (RE r (here_typed _ _ _ _ R)).
    destruct (conj_list_ok r _ (here_typed _ _ _ _ R) B) as [CB _]. rewrite (proj2 (implies_ok r _ _ (here_typed _ _ _ _ R) CB BG)) in RE.
    assert (X : toB (meaning r (conj (hyps ++ known c'))) = true); [|rewrite X in RE; exact RE]. apply conj_true; [apply R|exact B|]. intros t T. apply in_app_iff in T as [T|T].
    - rewrite forallb_forall in SH. rewrite (here_meaning en _ _ r t EN V (SH t T) R'). now apply HY.
    - now apply (holds_known _ _ H').
  Qed.
End Sound.
